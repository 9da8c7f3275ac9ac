import { normalForm } from '../normal-form.ts';

/** How much of a page's text is searched. */
const MAX_TEXT_CHARACTERS = 100_000;

/** How much of a body is read to find its text: embedded pictures may be long. */
export const MAX_BODY_CHARACTERS = 500_000;

/** Matches the start tag of an element that bodies lose together with its content (see `sites/body/vocabulary.ts`). */
const UNSEEN =
  /<(applet|audio|canvas|datalist|frameset|iframe|listing|map|math|noembed|noframes|noscript|object|optgroup|option|plaintext|script|select|style|svg|template|textarea|title|video|xmp)[\s/>]/y;

/**
 * Elements that extend to the end of the body if they are not closed. Any other unclosed element may be text in Markdown, such
 * as `<video>` between backticks.
 */
const codeNames: ReadonlySet<string> = new Set(['script', 'style', 'template']);

/**
 * Matches the usual form of comments in Markdown, which has none: a link's definition without an address, `[//]: # (note)`.
 */
const REMARKS = /^ {0,3}\[[^\]\n\r\u2028\u2029]{1,200}\]: {0,9}(?:#|<>) .*$/gm;

/**
 * Returns roughly what visitors read of a body in HTML or Markdown: the text without tags, marks and addresses. Takes time in
 * proportion to the length for every body.
 */
export function visibleText(body: string): string {
  const text = withoutTags(body.slice(0, MAX_BODY_CHARACTERS).replace(REMARKS, ''))
    // Removes the targets of Markdown links and images. Even a long one is read only once: another `(` starts again.
    .replace(/\]\([^()\s]*\)?/g, '] ')
    .replaceAll('![', '[')
    .slice(0, MAX_TEXT_CHARACTERS);
  return decode(text)
    .replace(/[*_`#>|~[\]\\]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

function withoutTags(html: string): string {
  const parts: string[] = [];
  // ASCII letters only: characters whose lower case has another length would shift the positions.
  const lower = html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  /** Elements without a later end tag. Looking for one again at each start tag would take quadratic time. */
  const unclosed = new Set<string>();
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) break;
    // A `<` that begins no tag is text.
    if (!/[a-z/!?]/i.test(html[open + 1] ?? '')) {
      parts.push(html.slice(at, open + 1));
      at = open + 1;
      continue;
    }
    const isComment = html.startsWith('<!--', open);
    const close = isComment ? html.indexOf('-->', open + 4) : html.indexOf('>', open);
    // An unclosed comment extends to the end. If any other tag is unclosed, so are all after it: the rest is text.
    if (close === -1 && isComment) return parts.join('') + html.slice(at, open);
    if (close === -1) break;
    parts.push(html.slice(at, open), ' ');
    at = close + (isComment ? 3 : 1);
    UNSEEN.lastIndex = open;
    const name = UNSEEN.exec(lower)?.[1];
    if (name !== undefined && !unclosed.has(name)) {
      const end = lower.indexOf(`</${name}`, at);
      if (end !== -1) at = end;
      else if (codeNames.has(name)) at = html.length;
      else unclosed.add(name);
    }
  }
  parts.push(html.slice(at));
  return parts.join('');
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  shy: '',
  szlig: 'ß',
  aelig: 'æ',
  oslash: 'ø',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
  copy: '©',
};

/** The combining accents of named character references such as `&eacute;`. */
const ACCENTS: Readonly<Record<string, string>> = {
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  uml: '\u0308',
  tilde: '\u0303',
  cedil: '\u0327',
  ring: '\u030a',
  caron: '\u030c',
};

/** Decodes the character references that editors write; others stay as they are. */
function decode(text: string): string {
  const decoded = text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (whole, decimal, hex, name: string | undefined) => {
      if (name === undefined) return character(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
      const accent = ACCENTS[name.slice(1)];
      return accent === undefined ? (NAMED[name] ?? whole) : name[0] + accent;
    },
  );
  return normalForm(decoded, 'NFC');
}

function character(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
}
