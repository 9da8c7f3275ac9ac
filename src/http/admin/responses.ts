import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Db } from '../../db/database.ts';
import type { SessionOwner } from '../../users/sessions.ts';
import { csvFile } from '../csv-file.ts';
import { byteString, type HttpResponse } from '../request-context.ts';
import { assertStillAdmitted } from './signed-in.ts';

/** Returns the headers of all responses, which are only for one user and this origin, and must not be cached. */
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

/** Returns `{ [name]: text }` as JSON. A long text is written in pieces: megabytes at once would delay other requests. */
export function longTextResponse(name: string, text: string): HttpResponse {
  if (text.length <= PIECE_CHARACTERS) return jsonResponse(200, { [name]: text });
  const sendTo = (target: Writable) => pipeline(jsonPieces(name, text), target);
  const body = { size: undefined, text, sendTo };
  return { status: 200, headers: headersOfAll.concat(['Content-Type', 'application/json; charset=utf-8']), body };
}

/** Returns a response with a CSV file to save. Its lines are sent as they are read, while the session exists. */
export function csvResponse(
  { db, sessionOwner }: { readonly db: Db; readonly sessionOwner: SessionOwner },
  fileName: string,
  lines: AsyncIterable<string>,
): HttpResponse {
  const assertAdmitted = () => assertStillAdmitted(db, sessionOwner);
  return csvFile(lines, { fileName, headers: headersOfAll, assertAdmitted });
}

/** Returns the headers of a response with a file to save. */
export function fileToSave(fileName: string, type: string): readonly string[] {
  return headersOfAll.concat(['Content-Type', type, 'Content-Disposition', `attachment; filename="${fileName}"`]);
}

/** Yields `{ [name]: text }` in pieces. A surrogate pair that is cut in two becomes two escapes, which mean the same text. */
async function* jsonPieces(name: string, text: string): AsyncGenerator<string> {
  yield `{${JSON.stringify(name)}:"`;
  for (let start = 0; start < text.length; start += PIECE_CHARACTERS) {
    yield JSON.stringify(text.slice(start, start + PIECE_CHARACTERS)).slice(1, -1);
    await setImmediate();
  }
  yield '"}';
}

const PIECE_CHARACTERS = 128 * 1024;

/** Returns a response with status 204. */
export function emptyResponse(headers: readonly string[] = []): HttpResponse {
  return { status: 204, headers: headersOfAll.concat(headers), body: '' };
}

/** Returns a response with an HTML document and its content security policy. */
export function documentResponse(html: string, policy: string): HttpResponse {
  const body = Buffer.from(html);
  const headers = ['Content-Type', 'text/html; charset=utf-8', 'Content-Length', String(body.length)];
  return { status: 200, headers: headersWith(policy).concat(headers), body };
}
