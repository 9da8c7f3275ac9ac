import { timeInWords } from '../english.ts';

/** Rows in columns as wide as they need be, and at least as wide as `widths`, which is raised. */
export function columns(rows: readonly (readonly string[])[], widths: number[] = []): string {
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    });
  }
  return rows
    .map((row) =>
      row
        .map((cell, index) => cell + ' '.repeat(widths[index]! - widthOf(cell)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Counts characters and not UTF-16 units. */
function widthOf(cell: string): number {
  let width = cell.length;
  for (let index = 0; index < cell.length; index++) if ((cell.codePointAt(index) ?? 0) > 0xffff) width -= 1;
  return width;
}

/** Returns `1 page` or `12 pages`, for nouns whose plural ends with an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A table with its head, or a sentence when it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  return columns([head, ...rows.map((row) => row.map(printable))]);
}

/** Names and values, one a line. */
export function facts(values: Readonly<Record<string, string | number>>): string {
  return columns(Object.entries(values).map(([name, value]) => [`${name}:`, printable(String(value))]));
}

/**
 * Removes characters that would move the cursor, change colours or reverse the text on the operator's terminal:
 * customers choose names.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\ufffd');
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** Removes the same from a text of several lines. A name in it may begin a line of its own, unless it is made printable before. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Returns the value as JSON, in which the same characters are escapes: people read it, too. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The interface's form for an account's times: `2003-04-09 08:56:03 +0000`. */
export function time(at: number): string;
export function time(at: number | null): string | null;
export function time(at: number | null): string | null {
  return at === null ? null : timeInWords(at);
}
