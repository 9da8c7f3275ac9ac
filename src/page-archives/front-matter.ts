/** The fields of a page that the beginning of its file sets. */
export type FrontMatter = ReadonlyMap<string, string>;

const FENCE = '---';

/** Front matter is short; a text that only begins with a rule may be long. */
const MAX_CHARACTERS = 64 * 1024;

/**
 * Separates the front matter of a text, which stands between two lines of `---`, and a blank line after it. Of YAML, it reads lines `key: value`, with or without
 * quotation marks; lists and what is nested in something else are passed over.
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
  // It never ends: a text that begins with a rule.
  return { values: new Map(), body: text };
}

/** Returns what is before and after the first match. */
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
