import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpResponse } from './request-context.ts';
import { whileAdmitted } from './while-admitted.ts';

interface CsvFileOptions {
  readonly fileName: string;
  readonly headers: readonly string[];
  /** Checks that the caller may still read the file. The download breaks off if this throws. */
  readonly assertAdmitted: () => Promise<void>;
}

/** Returns a response that downloads a CSV file, written while its lines are read. */
export function csvFile(
  lines: AsyncIterable<string>,
  { fileName, headers, assertAdmitted }: CsvFileOptions,
): HttpResponse {
  const body = {
    size: undefined,
    sendTo: (target: Writable) => pipeline(whileAdmitted(lines, assertAdmitted), target),
  };
  const disposition = `attachment; filename="${fileName}"`;
  const own = ['Content-Type', 'text/csv; charset=utf-8', 'Content-Disposition', disposition];
  return { status: 200, headers: [...own, ...headers], body };
}
