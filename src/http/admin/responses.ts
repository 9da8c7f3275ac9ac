import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/database.ts';
import type { SessionOwner } from '../../users/sessions.ts';
import { csvFile } from '../csv-file.ts';
import { byteString, type HttpResponse } from '../request-context.ts';
import { assertStillThere } from './caller.ts';

/** Headers of all responses: they are for one user and this origin alone, and must not be cached. */
const headersWith = (policy: string): readonly string[] => [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  policy,
  'Cross-Origin-Resource-Policy',
  'same-origin',
  'Referrer-Policy',
  'no-referrer',
];

const headersOfAll = headersWith("default-src 'none'; frame-ancestors 'none'");

export function jsonResponse(status: number, value: unknown, headers: readonly string[] = []): HttpResponse {
  const body = byteString(JSON.stringify(value));
  return {
    status,
    headers: headersOfAll.concat(
      ['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)],
      headers,
    ),
    body,
  };
}

/** Like `jsonResponse(200, { [name]: text })`, but writes a long text in pieces: megabytes at once would keep others waiting. */
export function longTextResponse(name: string, text: string): HttpResponse {
  if (text.length <= PIECE_CHARACTERS) return jsonResponse(200, { [name]: text });
  const sendTo = (target: Writable) => pipeline(jsonPieces(name, text), target);
  const body = { size: undefined, text, sendTo };
  return { status: 200, headers: headersOfAll.concat(['Content-Type', 'application/json; charset=utf-8']), body };
}

/** Answers with a file of CSV to save, written as its lines are read, for as long as the caller may read it. */
export function csvResponse(
  { db, caller }: { readonly db: Db; readonly caller: SessionOwner },
  fileName: string,
  lines: AsyncIterable<string>,
): HttpResponse {
  const assertAdmitted = () => assertStillThere(db, caller);
  return csvFile(lines, { fileName, headers: headersOfAll, assertAdmitted });
}

/** Returns the headers of an answer with a file to save. */
export function fileToSave(fileName: string, type: string): readonly string[] {
  return headersOfAll.concat(['Content-Type', type, 'Content-Disposition', `attachment; filename="${fileName}"`]);
}

/** Half a surrogate pair becomes an escape, as which it is the same text. */
async function* jsonPieces(name: string, text: string): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:"`;
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS) {
    yield JSON.stringify(text.slice(start, start + PIECE_CHARACTERS)).slice(1, -1);
    await setImmediate();
  }
  yield '"}';
}

const PIECE_CHARACTERS = 128 * 1024;

/** 204: it is done, and there is nothing to say. */
export function emptyResponse(headers: readonly string[] = []): HttpResponse {
  return { status: 204, headers: headersOfAll.concat(headers), body: '' };
}

/** A document, with the policy that it must not be shown without. */
export function documentResponse(html: string, policy: string): HttpResponse {
  const body = Buffer.from(html);
  const headers = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length)];
  return { status: 200, headers: headersWith(policy).concat(headers), body };
}
