import { setImmediate } from 'node:timers/promises';
import { ValidationError } from '../errors.ts';
import type { BrokenRule } from '../field-error.ts';
import { decodeText } from './decode-text.ts';

export interface CsvFile {
  /** The cells of the first line, which name the columns. */
  header: string[];
  lines: CsvLine[];
}

export interface CsvLine {
  /** The number of the row in a spreadsheet, starting at 1 and counting empty rows. */
  number: number;
  cells: string[];
}

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_LINES = 10_000;
const MAX_ROW_CHARACTERS = 64 * 1024;
const MAX_COLUMNS = 100;

/** Longer than any field of a customer, so cutting a cell does not change which rules it breaks. */
const MAX_CELL_CHARACTERS = 1000;

/** How much is parsed before other work runs: about 10 ms. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Reads a CSV file with commas, semicolons or tabs, in any encoding in which spreadsheets save it.
 * @throws ValidationError for the field `file`
 */
export async function readCsv(bytes: Uint8Array): Promise<CsvFile> {
  if (bytes.length > MAX_IMPORT_BYTES) throw unusable({ code: 'too_many_bytes', params: { max: MAX_IMPORT_BYTES } });
  const [header, ...lines] = await parseLines(decodeText(bytes));
  if (!header || lines.length === 0) throw unusable({ code: 'no_lines' });
  return { header: header.cells, lines };
}

/** Returns the lines that contain text. */
async function parseLines(text: string): Promise<CsvLine[]> {
  const delimiter = findDelimiter(text);
  const lines: CsvLine[] = [];
  let turnEnds = CHUNK_CHARACTERS;
  for (let at = 0, number = 1; at < text.length; number += 1) {
    const row = readRow(text, at, delimiter);
    if (!row) throw unusable({ code: 'not_csv', params: { line: number } });
    at = row.end;
    if (row.cells.some((cell) => cell.trim() !== ''))
      lines.push({ number, cells: row.cells.slice(0, MAX_COLUMNS).map(shortened) });
    if (lines.length > MAX_IMPORT_LINES + 1) {
      throw unusable({ code: 'too_many_lines', params: { max: MAX_IMPORT_LINES } });
    }
    if (at > turnEnds) {
      turnEnds = at + CHUNK_CHARACTERS;
      await setImmediate();
    }
  }
  return lines;
}

/**
 * Cuts a long cell. A hundred lines are checked without interruption, and one column may serve every field, so long cells
 * would delay other requests.
 */
function shortened(cell: string): string {
  return cell.length > MAX_CELL_CHARACTERS ? cell.trim().slice(0, MAX_CELL_CHARACTERS).toWellFormed() : cell;
}

/**
 * Returns the row that begins at `start` (RFC 4180), and the start of the next one. Returns undefined if the row is too
 * long, its quotes do not end, or text follows them.
 */
function readRow(text: string, start: number, delimiter: string): { cells: string[]; end: number } | undefined {
  const cells: string[] = [];
  for (let at = start; at - start <= MAX_ROW_CHARACTERS; ) {
    const cell = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at, delimiter);
    if (!cell) return undefined;
    cells.push(cell.content);
    at = cell.end + 1;
    const next = text[cell.end];
    if (next === delimiter) continue;
    if (next !== undefined && next !== '\n' && next !== '\r') return undefined;
    return { cells, end: text.startsWith('\r\n', cell.end) ? at + 1 : at };
  }
  return undefined;
}

interface Cell {
  readonly content: string;
  /** The offset after the cell. */
  readonly end: number;
}

function readPlain(text: string, start: number, delimiter: string): Cell {
  const last = Math.min(text.length, start + MAX_ROW_CHARACTERS);
  let end = start;
  while (end < last && text[end] !== delimiter && text[end] !== '\n' && text[end] !== '\r') end += 1;
  return { content: text.slice(start, end), end };
}

/** Reads a quoted cell, in which quotes are doubled. */
function readQuoted(text: string, start: number): Cell | undefined {
  let quote = text.indexOf('"', start + 1);
  while (quote !== -1 && quote - start <= MAX_ROW_CHARACTERS) {
    if (text[quote + 1] !== '"') return { content: text.slice(start + 1, quote).replaceAll('""', '"'), end: quote + 1 };
    quote = text.indexOf('"', quote + 2);
  }
  return undefined;
}

/** Returns the delimiter that occurs most often in the first line. */
function findDelimiter(text: string): string {
  const first = text
    .slice(0, MAX_ROW_CHARACTERS)
    .trimStart()
    .split(/[\r\n]/, 1)[0]!;
  const count = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

function unusable(problem: BrokenRule): ValidationError {
  return new ValidationError([{ field: 'file', ...problem }]);
}
