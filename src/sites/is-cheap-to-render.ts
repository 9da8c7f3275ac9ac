import type { BodySource } from './render-body.ts';

/** HTML of this length takes some ten milliseconds at most, prose two. */
const MAX_CHEAP_CHARACTERS = 12 * 1024;

/** Marks of Markdown cost some ten microseconds each. */
const MAX_CHEAP_MARKS = 1500;

/**
 * Tells whether a body is rendered within some milliseconds, judged by quick counts. Typical Markdown has some hundred
 * marks in this length; nothing but marks takes fifty times as long as prose.
 */
export function isCheapToRender({ body, format }: BodySource): boolean {
  return body.length <= MAX_CHEAP_CHARACTERS && (format !== 'markdown_format' || marks(body) <= MAX_CHEAP_MARKS);
}

/**
 * Lines, what may become an element, and cells of tables: every line of a table has as many as its first, however short
 * it is. Each paragraph counts as a table here, by the line with the most bars.
 */
function marks(markdown: string): number {
  let sum = count(markdown, /[<>*_~`#[|:@-]/g);
  for (const paragraph of markdown.replace(/\r\n?/g, '\n').split(/\n[ \t]*\n/)) {
    const lines = paragraph.split('\n');
    const columns = paragraph.includes('|') ? Math.max(...lines.map((line) => count(line, /\|/g))) : 0;
    sum += lines.length * (1 + columns);
  }
  return sum;
}

function count(text: string, mark: RegExp): number {
  return text.match(mark)?.length ?? 0;
}
