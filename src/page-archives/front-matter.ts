/** The fields of a page that are set at the beginning of its file. */
type FrontMatter = ReadonlyMap<string, string>;

const FENCE = '---';

/** How far front matter is read. It is short, whereas a text that merely begins with a rule may be long. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * Separates a text from its front matter, which is between two lines of `---`, and from one blank line after it. Of YAML,
 * reads lines `key: value`, with or without quotation marks, and ignores lists and nested values.
 */
export function readFrontMatter(text: string): { values: FrontMatter; body: string } {
  const values = new Map<string, string>();
  const lines = /\r?\n/;
  const [first, rest] = cut(text, lines);
  if (first.trimEnd() !== FENCE) return { values, body: text };
  for (let left = rest; left !== '' && rest.length - left.length < MAX_CHARACTERS; ) {
    const [line, next] = cut(left, lines);
    left = next;
    if (line.trimEnd() === FENCE) return { values, body: left.replace(/^\r?\n/, '') };
    const [, key, value] = /^([A-Za-z_]\w{0,40}):\s+(\S.*)$/.exec(line.trimEnd()) ?? [];
    if (key !== undefined) values.set(key.toLowerCase(), scalar(value!));
  }
  // There is no closing line: the text merely begins with a rule.
  return { values: new Map(), body: text };
}

/** Returns the text before and after the first match. */
function cut(text: string, at: RegExp): [string, string] {
  const match = at.exec(text);
  return match ? [text.slice(0, match.index), text.slice(match.index + match[0].length)] : [text, ''];
}

function scalar(value: string): string {
  const [quote] = value;
  if (quote === '"') {
    try {
      return String(JSON.parse(value));
    } catch {
      return value;
    }
  }
  if (quote === "'" && value.length > 1 && value.endsWith("'")) return value.slice(1, -1).replaceAll("''", "'");
  const comment = value.indexOf(' #');
  return (comment < 0 ? value : value.slice(0, comment)).trim();
}
