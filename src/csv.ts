/** A text, which a customer may have written, or a number, which is trusted. */
export type CsvCell = string | { readonly number: string | number };

/** A byte order mark. Spreadsheets would mistake UTF-8 without it for another encoding. */
export const CSV_BEGINNING = '\uFEFF';

/** Returns an amount as a number of whole currency units with two decimals. */
export function centsCell(cents: number): CsvCell {
  return { number: (cents / 100).toFixed(2) };
}

/** Returns a line of CSV. An apostrophe before formulas makes spreadsheets show them as text. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? quote(cell) : cell.number)).join(',')}\r\n`;
}

/** Includes the full-width signs, which East Asian spreadsheets also accept. */
const FORMULA = /^[\s"]*[=+\-@＝＋－＠]/;

/**
 * Matches the start of a cell in spreadsheets that split lines at semicolons (as in German) or tabs instead of commas. They
 * ignore a quote in the middle of their cells, so a line break also ends such a cell.
 */
const AFTER_OTHER_SEPARATOR = /(?<=[;\t\r\n])/;

function quote(text: string): string {
  const parts = text.split(AFTER_OTHER_SEPARATOR);
  const safe = parts.map((part) => (FORMULA.test(part) ? `'${part}` : part)).join('');
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
