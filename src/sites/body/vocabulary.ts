/*
 * The elements that a body may have on a site. All others lose their tags and keep their content; those in `dropped`
 * lose both.
 */

/** Elements within a line of text. They are reopened in each block that they are meant to span. */
export const inlineNames: ReadonlySet<string> = new Set(
  words(
    'a abbr b bdi bdo cite code del dfn em i ins kbd mark q rp rt ruby s samp small span strong sub sup time u var',
  ),
);

/** Elements within a line of text that have no content. */
export const inlineLeafNames: ReadonlySet<string> = new Set(words('br img input wbr'));

export const blockNames: ReadonlySet<string> = new Set(
  words(`address blockquote caption dd details div dl dt figcaption figure h1 h2 h3 h4 h5 h6 hr li ol p pre summary table
    tbody td tfoot th thead tr ul`),
);

export const headingNames: ReadonlySet<string> = new Set(words('h1 h2 h3 h4 h5 h6'));

/** Blocks that hold a line of text and no other blocks. */
export const lineNames: ReadonlySet<string> = new Set([...headingNames, ...words('caption dt p pre summary')]);

/** Blocks that mean nothing in a line of text: there, their tags are left out, whereas other blocks end the line. */
export const wrapperNames: ReadonlySet<string> = new Set(words('address div figcaption figure p'));

/** The replacements of obsolete elements, and of elements that are reserved for the template. */
export const replacements: ReadonlyMap<string, string> = new Map([
  ...words('acronym').map((old): [string, string] => [old, 'abbr']),
  ...words('article aside center fieldset footer form header hgroup main nav search section').map(
    (old): [string, string] => [old, 'div'],
  ),
  ...words('big font').map((old): [string, string] => [old, 'span']),
  ...words('dir menu').map((old): [string, string] => [old, 'ul']),
  ...words('legend').map((old): [string, string] => [old, 'p']),
  ...words('strike').map((old): [string, string] => [old, 's']),
  ...words('tt').map((old): [string, string] => [old, 'code']),
]);

/** Elements whose content is not text of the page: code, another language, other documents' heads, or lists of choices. */
export const dropped: ReadonlySet<string> = new Set(
  words(`applet audio canvas datalist frameset iframe listing map math noembed noframes noscript object optgroup option
    plaintext script select style svg template textarea title video xmp`),
);

const everywhere = ['class', 'dir', 'id', 'lang', 'title'];

/** The attributes that an element may have besides those that every element may have. */
export const attributeNames: Readonly<Record<string, readonly string[]>> = {
  '*': everywhere,
  a: ['aria-label', 'href', 'rel', 'target'],
  blockquote: ['cite'],
  del: ['cite'],
  details: ['open'],
  div: ['aria-label', 'role', 'tabindex'],
  iframe: words('allow allowfullscreen height loading referrerpolicy sandbox src title width'),
  img: words('alt decoding fetchpriority height loading sizes src srcset width'),
  input: words('aria-label checked disabled type'),
  ins: ['cite'],
  li: ['value'],
  ol: ['reversed', 'start', 'type'],
  pre: ['tabindex'],
  q: ['cite'],
  // Sources are only written for the account's own images, and never read from a body.
  source: ['sizes', 'srcset', 'type'],
  td: ['colspan', 'rowspan'],
  th: ['colspan', 'rowspan', 'scope'],
  time: ['datetime'],
};

/** The classes that the themes know, besides `language-*` on code. */
export const classNames: ReadonlySet<string> = new Set(
  words(`align-left align-center align-right align-justify float-left float-right embed table-scroll contains-task-list
    task-list-item task-list-item-checkbox footnote-ref footnotes-sep footnotes footnotes-list footnote-item
    footnote-backref image-small image-wide image-full`),
);

/** The classes that editors and blogs use, and the classes that replace them. */
export const editorClasses: ReadonlyMap<string, string> = new Map([
  ['alignleft', 'float-left'],
  ['alignright', 'float-right'],
  ['aligncenter', 'align-center'],
  ['alignwide', 'image-wide'],
  ['alignfull', 'image-full'],
  ['kg-width-wide', 'image-wide'],
  ['kg-width-full', 'image-full'],
  ['image-style-align-left', 'float-left'],
  ['image-style-align-right', 'float-right'],
  ['image-style-side', 'float-right'],
  ['ql-align-center', 'align-center'],
  ['ql-align-right', 'align-right'],
  ['ql-align-justify', 'align-justify'],
  ['text-center', 'align-center'],
  ['text-right', 'align-right'],
]);

export const linkSchemes = ['http', 'https', 'mailto', 'tel', 'sms'];

function words(text: string): string[] {
  return text.split(/\s+/);
}
