import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { HttpResponse } from './request-context.ts';

/** Returns the answer with a file of CSV to save, written as its lines are read. */
export function csvFile(fileName: string, lines: AsyncIterable<string>, headers: readonly string[]): HttpResponse {
  const body = { size: undefined, sendTo: (target: Writable) => pipeline(lines, target) };
  const disposition = `attachment; filename="${fileName}"`;
  const own = ['Content-Type', 'text/csv; charset=utf-8', 'Content-Disposition', disposition];
  return { status: 200, headers: [...own, ...headers], body };
}
