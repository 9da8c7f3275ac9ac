import type { Dialect } from '../db/database.ts';
import type { FieldError } from '../field-error.ts';
import { type ImportColumns, importFields } from './columns.ts';
import { startsFromTemplate } from './offers.ts';
import type { CsvLine } from './read-csv.ts';

/**
 * How many lines become customers in one transaction. On SQLite, all writers wait for it, about 15 ms. On PostgreSQL, only
 * changes to the seller and its customers wait, and each statement takes a round trip, however many lines it has.
 */
export const partSizes: Readonly<Record<Dialect, number>> = { sqlite: 50, postgres: 200 };

/**
 * Divides the lines into the parts of an import. A line with a template is a part of its own: it may create 500 pages, and
 * its images are copied before.
 */
export function toParts(lines: readonly PartLine[], size: number): PartLine[][] {
  const parts: PartLine[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const isAlone = startsFromTemplate(line, partColumns);
    if (isOpen && !isAlone && parts.at(-1)!.length < size) parts.at(-1)!.push(line);
    else parts.push([line]);
    isOpen = !isAlone;
  }
  return parts;
}

/** A line in a part of an import. Its cells are those of `importFields`; they are empty once the customer is created. */
export type PartLine = CsvLine;

/** The result of a line: the id of its customer, or the failures. */
export type LineResult = number | readonly FieldError[];

/** The columns of the lines of parts. */
export const partColumns = Object.fromEntries(importFields.map((field, index) => [field, index])) as ImportColumns;

export function readLines(json: string): PartLine[] {
  return (JSON.parse(json) as Array<[number, ...string[]]>).map(([number, ...cells]) => ({ number, cells }));
}

export function writeLines(lines: readonly PartLine[]): string {
  return JSON.stringify(lines.map(({ number, cells }) => [number, ...cells]));
}

/** Reduces the lines to the cells of `importFields`. */
export function toPartLines(lines: readonly CsvLine[], columns: ImportColumns): PartLine[] {
  return lines.map(({ number, cells }) => ({
    number,
    cells: importFields.map((field) => cells[columns[field] ?? -1] ?? ''),
  }));
}
