/** A text, which may be written by a customer, or a number, which is not. */
export type CsvCell = string | { readonly number: string | number };

/** Spreadsheets take UTF-8 for another encoding without it. */
export const CSV_BEGINNING = '\uFEFF';

/** Returns an amount of money as a number of whole units of the currency, with two decimals. */
export function centsCell(cents: number): CsvCell {
  return { number: (cents / 100).toFixed(2) };
}

/** Returns a line of CSV. Where a spreadsheet would run a text as a formula, an apostrophe makes it text. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? quote(cell) : cell.number)).join(',')}\r\n`;
}

/** East Asian spreadsheets take the wide forms, too. */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;

/**
 * Spreadsheets in German and other languages split lines at semicolons instead of commas, some split them at tabs. They take no
 * notice of a quote in the middle of their cells, so that a line break ends such a cell, too.
 */
const AFTER_OTHER_SEPARATOR = /(?<=[;\t\r\n])/;

function quote(text: string): string {
  const parts = text.split(AFTER_OTHER_SEPARATOR);
  const safe = parts.map((part) => (FORMULA.test(part) ? `'${part}` : part)).join('');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
