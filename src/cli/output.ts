import { timeInWords } from '../english.ts';

/** Formats rows in columns that are as wide as their cells and at least as wide as `widths`, which it updates. */
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

/** Returns the number of characters, not of UTF-16 code units. */
function widthOf(cell: string): number {
  let width = cell.length;
  for (let index = 0; index < cell.length; index++) if ((cell.codePointAt(index) ?? 0) > 0xffff) width -= 1;
  return width;
}

/** Returns `1 page` or `12 pages`, for nouns whose plural ends with an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a table with its head, or returns `empty` if it has no rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], empty: string): string {
  if (rows.length === 0) return empty;
  return columns([head, ...rows.map((row) => row.map(printable))]);
}

/** Formats names and values, one pair a line. */
export function facts(values: Readonly<Record<string, string | number>>): string {
  return columns(Object.entries(values).map(([name, value]) => [`${name}:`, printable(String(value))]));
}

/**
 * Replaces characters that could move the cursor, change colours or reverse text on the operator's terminal: customers
 * choose names.
 */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, '\ufffd');
}

const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Makes each line of a text printable. A line feed within a name still begins a new line, unless `printable` was applied to
 * the name before.
 */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Returns the value as JSON, with unprintable characters as escapes, since people read JSON too. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Formats a time as the API does in an account: `2003-04-09 08:56:03 +0000`. */
export function time(at: number): string;
export function time(at: number | null): string | null;
export function time(at: number | null): string | null {
  return at === null ? null : timeInWords(at);
}
