import type { BodySource } from './render-body.ts';

/** The longest body that can be cheap. */
const MAX_CHEAP_CHARACTERS = 12 * 1024;

/** The most marks of a cheap body. Each tag, or mark of Markdown, takes some ten microseconds. */
const MAX_CHEAP_MARKS = 500;

/** How many marks a reference of a footnote counts for: it takes as long as twenty. */
const FOOTNOTE_MARKS = 20;

/**
 * True if a body is rendered within about 5 ms, judged by counts that take hardly any time. Prose of the greatest length has
 * some hundred marks; a text of the same length that consists only of marks takes fifty times as long.
 */
export function isCheapToRender({ body, format }: BodySource): boolean {
  if (body.length > MAX_CHEAP_CHARACTERS) return false;
  return (format === 'markdown_format' ? marks(body) : count(body, /[<&]/g)) <= MAX_CHEAP_MARKS;
}

/**
 * Counts lines, everything that may become an element or an address, and cells of tables. Every line of a table has as many
 * cells as the first one, however short the line is. Each paragraph counts as a table here, with the columns of the line
 * with the most bars.
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
