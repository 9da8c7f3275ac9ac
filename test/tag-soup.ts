import fc from 'fast-check';

const names =
  `a abbr b blockquote body br caption center code dd del details div dl dt em embed figcaption figure font form h1 h2 h3
  h6 hr i iframe img input label li math noscript ol p pre rt ruby script section select span strong style sub summary svg
  table tbody td template textarea tfoot th thead time title tr u ul video xmp x-y`.split(/\s+/);

const values = [
  ...[
    'x',
    'y z',
    '#x',
    'https://example.com/a b',
    '//example.com',
    'javascript:alert(1)',
    'jav\tascript:alert(1)',
    '"',
    "'",
    '<',
  ],
  ...[
    '&#106;avascript:alert(1)',
    'data:text/html,x',
    'data:image/png;base64,AAAA',
    'center',
    'left',
    '-1',
    '3',
    '99999',
    '',
  ],
  ...[
    'https://youtu.be/abcdefghijk',
    'https://www.youtube.com@example.com/embed/abcdefghijk',
    'checkbox',
    'en',
    'xx-yy',
  ],
  ...[
    'a 1x, b 2x',
    'a 10w,javascript:x 20w',
    'text-align:center;float:left',
    'footnotes embed table-scroll',
    '>',
    '&quot;',
  ],
];

const attributeNames =
  `align alt checked class cite colspan dir float height href id lang name onclick onerror open rel rowspan scope sizes src
  srcdoc srcset start style target title type value width xlink:href`.split(/\s+/);

const attribute = fc
  .tuple(fc.constantFrom(...attributeNames), fc.constantFrom('="', "='", '=', ''), fc.constantFrom(...values))
  .map(([name, begin, value]) => (begin === '' ? ` ${name}` : ` ${name}${begin}${value}${begin.slice(1)}`));

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constantFrom(...names), fc.array(attribute, { maxLength: 3 })).map(openingTag) },
  { weight: 4, arbitrary: fc.constantFrom(...names).map((name) => `</${name}>`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom('text', ' ', '\n', ' more text ', 'é 文 ', '&amp;', '&lt;b&gt;', '&nbsp;', '&#0;'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<', '>', '<!--', '-->', '<![CDATA[', ']]>', '<?', '</', '&', '"', '\0', '<!'),
  },
);

/** Generates HTML of tags, attributes, text and broken pieces in random order. */
export function tagSoup(): fc.Arbitrary<string> {
  return fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
}

function openingTag([name, attributes]: [string, string[]]): string {
  return `<${name}${attributes.join('')}>`;
}
