import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpResponse } from './request-context.ts';

interface CsvFileOptions {
  readonly fileName: string;
  readonly headers: readonly string[];
  /** Checks that the caller may still read it. The answer breaks off where this throws. */
  readonly assertAdmitted: () => Promise<void>;
}

/** Returns the answer with a file of CSV to save, written as its lines are read. */
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

/** A file may be received slowly to outlast a removal: what is read from the database by then is not the caller's any more. */
async function* whileAdmitted(lines: AsyncIterable<string>, assertAdmitted: () => Promise<void>) {
  for await (const piece of lines) {
    await assertAdmitted();
    yield piece;
  }
}
