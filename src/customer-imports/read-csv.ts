import { setImmediate } from 'node:timers/promises';
import { parse } from 'csv-parse';
import { ValidationError } from '../errors.ts';
import type { BrokenRule } from '../field-error.ts';
import { decodeText } from './decode-text.ts';

export interface CsvFile {
  /** The cells of the first line, which name the columns. */
  header: string[];
  lines: CsvLine[];
}

export interface CsvLine {
  /** The number of the row in a spreadsheet, from 1: empty rows count. */
  number: number;
  cells: string[];
}

export const MAX_IMPORT_BYTES = 5 * 1024 * 1024;
export const MAX_IMPORT_LINES = 10_000;
const MAX_RECORD_BYTES = 64 * 1024;
const MAX_COLUMNS = 100;

/** How much is parsed before other work has its turn: about 10 ms. */
const CHUNK_CHARACTERS = 64 * 1024;

/**
 * Reads a CSV file with commas, semicolons or tabs, in the encodings in which spreadsheets save it.
 * @throws ValidationError for the field `file`.
 */
export async function readCsv(bytes: Uint8Array): Promise<CsvFile> {
  if (bytes.length > MAX_IMPORT_BYTES) throw unusable({ code: 'too_many_bytes', params: { max: MAX_IMPORT_BYTES } });
  const [header, ...lines] = await parseLines(decodeText(bytes));
  if (!header || lines.length === 0) throw unusable({ code: 'no_lines' });
  return { header: header.cells, lines };
}

/** Returns the lines with any text in them. */
async function parseLines(text: string): Promise<CsvLine[]> {
  const lines: CsvLine[] = [];
  let failure: { line: number } | undefined;
  const parser = parse({
    delimiter: findDelimiter(text),
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_BYTES,
    info: true,
  });
  parser.on('data', ({ record, info }: { record: string[]; info: { records: number; empty_lines: number } }) => {
    if (record.every((cell) => cell.trim() === '')) return;
    lines.push({ number: info.records + info.empty_lines, cells: record.slice(0, MAX_COLUMNS) });
  });
  const ended = new Promise<void>((resolve) => {
    parser.on('end', resolve);
    parser.on('error', (error: Error & { lines?: number }) => {
      failure = { line: error.lines ?? 1 };
      resolve();
    });
  });
  const isTooLong = () => lines.length > MAX_IMPORT_LINES + 1;
  for (let at = 0; at < text.length && !failure && !isTooLong(); at += CHUNK_CHARACTERS) {
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
    await setImmediate();
  }
  if (!isTooLong()) {
    parser.end();
    await ended;
  }
  parser.destroy();
  if (isTooLong()) throw unusable({ code: 'too_many_lines', params: { max: MAX_IMPORT_LINES } });
  if (failure) throw unusable({ code: 'not_csv', params: failure });
  return lines;
}

/** Returns the one of the usual delimiters that the first line has most of. */
function findDelimiter(text: string): string {
  const first = text
    .slice(0, MAX_RECORD_BYTES)
    .trimStart()
    .split(/[\r\n]/, 1)[0]!;
  const count = (delimiter: string) => first.split(delimiter).length;
  return [',', ';', '\t'].reduce((best, delimiter) => (count(delimiter) > count(best) ? delimiter : best));
}

function unusable(problem: BrokenRule): ValidationError {
  return new ValidationError([{ field: 'file', ...problem }]);
}
