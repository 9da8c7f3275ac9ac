/** A text, which may be written by a customer, or a number, which is not. */
export type CsvCell = string | { readonly number: string | number };

/** Spreadsheets take UTF-8 for another encoding without it. */
export const CSV_BEGINNING = '\uFEFF';

/** Returns an amount of money as a number of whole units of the currency, with two decimals. */
export function centsCell(cents: number): CsvCell {
  return { number: (cents / 100).toFixed(2) };
}

/** Returns a line of CSV. A text that a spreadsheet would run as a formula begins with an apostrophe, which it shows as text. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map((cell) => (typeof cell === 'string' ? quote(cell) : cell.number)).join(',')}\r\n`;
}

function quote(text: string): string {
  const safe = /^\s*[=+\-@]|^[\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
