/** Shortcodes that are recognized without attributes. Other words in brackets, such as [sic], are text. */
const wellKnown: ReadonlySet<string> = new Set(['gallery', 'audio', 'video', 'playlist', 'embed', 'caption']);

/**
 * Returns the text with captions as figures, and embedded addresses on lines of their own. Other shortcodes, which plugins
 * fill, stay, and `note` is called with the name of each.
 */
export function withoutShortcodes(text: string, note: (code: 'shortcode', value: string) => void): string {
  if (!text.includes('[')) return text;
  const captioned = replacePairs(text, 'caption', (inside) => {
    // The caption follows the image, or the link around it.
    const end = Math.max(endOf(inside, '</a>'), endOf(inside, '/>'), endOf(inside, '">'));
    if (end <= 0) return undefined;
    return `\n\n<figure>${inside.slice(0, end).trim()}<figcaption>${inside.slice(end).trim()}</figcaption></figure>\n\n`;
  });
  const embedded = replacePairs(captioned, 'embed', (inside) => `\n\n${inside.trim()}\n\n`);
  for (const [, name = '', attributes] of embedded.matchAll(/\[([a-z][a-z0-9_-]{1,40})(\s[^[\]]{1,500})?\]/g)) {
    if (wellKnown.has(name) || attributes?.includes('=')) note('shortcode', name);
  }
  return embedded;
}

function endOf(text: string, part: string): number {
  const index = text.lastIndexOf(part);
  return index === -1 ? -1 : index + part.length;
}

/** Replaces `[name …]inside[/name]`. `replace` returns undefined to keep a text. */
function replacePairs(text: string, name: string, replace: (inside: string) => string | undefined): string {
  const parts: string[] = [];
  let end = 0;
  for (let start = text.indexOf(`[${name}`); start !== -1; start = text.indexOf(`[${name}`, end)) {
    const bracket = text.indexOf(']', start);
    const close = bracket === -1 ? -1 : text.indexOf(`[/${name}]`, bracket);
    if (close === -1) break;
    const next = close + name.length + 3;
    parts.push(text.slice(end, start), replace(text.slice(bracket + 1, close)) ?? text.slice(start, next));
    end = next;
  }
  return parts.join('') + text.slice(end);
}
