import type { BodySource } from './render-body.ts';

/** In characters. */
const MAX_CHEAP_CHARACTERS = 12 * 1024;

/** Tags, and marks of Markdown, take some ten microseconds each. */
const MAX_CHEAP_MARKS = 500;

/** Each reference of a footnote takes as long as twenty marks. */
const FOOTNOTE_MARKS = 20;

/**
 * Tells whether a body is rendered within about 5 ms, judged by what can be counted in no time. Prose has some hundred marks in
 * this length; what is nothing but marks takes fifty times as long.
 */
export function isCheapToRender({ body, format }: BodySource): boolean {
  if (body.length > MAX_CHEAP_CHARACTERS) return false;
  return (format === 'markdown_format' ? marks(body) : count(body, /[<&]/g)) <= MAX_CHEAP_MARKS;
}

/**
 * Lines, what may become an element or an address, and cells of tables: every line of a table has as many as its first, however short
 * it is. Each paragraph counts as a table here, by the line with the most bars.
 */
function marks(markdown: string): number {
  let sum = count(markdown, /[<>*_~`#[|:@&-]|\.\w/g) + FOOTNOTE_MARKS * count(markdown, /\[\^/g);
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
