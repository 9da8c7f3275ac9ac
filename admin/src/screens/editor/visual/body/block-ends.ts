/* Guesses from the tags alone where the blocks of a body end. split-blocks.ts verifies the result. */

const words = (text: string) => new Set(text.split(/\s+/));

const blocks = words(
  `address article aside blockquote center details dialog dir div dl fieldset figure footer form h1 h2 h3 h4 h5 h6 header
  hgroup hr main menu nav ol p pre search section summary table ul`,
);
/** Elements that end a line of text outside of blocks, but not a paragraph. */
const standalone = words('iframe template');
const withoutContent = words('area base br col embed hr img input link meta source track wbr');
const withText = words('iframe noembed noframes plaintext script style textarea title xmp');
/** Elements that are invisible, between blocks or within a line of text. */
const invisible = words('base body head html link meta script style title');

export function isBlockName(name: string): boolean {
  return blocks.has(name) || standalone.has(name);
}

interface Token {
  readonly name: string;
  readonly isEnd: boolean;
  readonly from: number;
  readonly to: number;
}

/** Returns the positions in the HTML that may be between two blocks, in order. */
export function blockEnds(html: string): number[] {
  const ends = new Set<number>();
  let open: { name: string; depth: number } | undefined;
  /** The end, so far, of a line of text outside of blocks. */
  let lineEnd: number | undefined;
  let last = 0;
  const endLine = () => {
    if (lineEnd !== undefined) ends.add(lineEnd);
    lineEnd = undefined;
  };
  for (const { name, isEnd, from, to } of tokens(html)) {
    if (!open && html.slice(last, from).trim() !== '') lineEnd = from;
    last = to;
    if (open && isEnd && name === open.name) open.depth -= 1;
    else if (open && !isEnd && name === open.name && name !== 'p') open.depth += 1;
    else if (!isEnd && (open ? open.name === 'p' && blocks.has(name) : isBlockName(name))) {
      endLine();
      ends.add(from);
      open = { name, depth: withoutContent.has(name) || withText.has(name) ? 0 : 1 };
    } else if (!open && name !== '' && !invisible.has(name)) lineEnd = to;
    if (open?.depth === 0) {
      ends.add(to);
      open = undefined;
    }
  }
  if (!open && html.slice(last).trim() !== '') lineEnd = html.length;
  if (!open) endLine();
  return [...ends].filter((end) => end > 0 && end < html.length).sort((one, other) => one - other);
}

/** Yields tags and comments. Comments and declarations have no name. An element with raw text is a single token. */
function* tokens(html: string): Generator<Token> {
  const tag = /<(\/?)([a-z][^\s/>]*)/iy;
  let from = html.indexOf('<');
  while (from !== -1) {
    tag.lastIndex = from;
    const [, slash, written] = tag.exec(html) ?? [];
    const name = written?.toLowerCase() ?? '';
    const isEnd = slash === '/';
    let to = from + 1;
    if (name !== '') {
      to = tagEnd(html, tag.lastIndex);
      if (!isEnd && withText.has(name)) to = textEnd(html, name, to);
    } else if (html.startsWith('<!--', from)) to = after(html, '-->', from + 2);
    else if (/[!?/]/.test(html[to] ?? '')) to = after(html, '>', to);
    if (to > from + 1) yield { name, isEnd, from, to };
    from = html.indexOf('<', to);
  }
}

function tagEnd(html: string, from: number): number {
  let quote = '';
  let before = '';
  for (let at = from; at < html.length; at++) {
    const character = html[at]!;
    if (character === quote) quote = '';
    else if (quote !== '') continue;
    else if (character === '>') return at + 1;
    // A quotation mark is special only at the start of an attribute's value.
    else if ((character === '"' || character === "'") && before === '=') quote = character;
    if (!' \t\n\r\f'.includes(character)) before = character;
  }
  return html.length;
}

/** Returns the end of a raw text element, which only its own end tag closes. */
function textEnd(html: string, name: string, from: number): number {
  const end = /<\/([a-z]+)[\s/>]/gi;
  end.lastIndex = from;
  for (let match = end.exec(html); match; match = end.exec(html)) {
    if (match[1]!.toLowerCase() === name) return tagEnd(html, match.index + 2 + name.length);
  }
  return html.length;
}

function after(html: string, sign: string, from: number): number {
  const at = html.indexOf(sign, from);
  return at === -1 ? html.length : at + sign.length;
}
