import type { Readable } from 'node:stream';
import type { HttpResponse, RequestContext } from './request-context.ts';
import { streamed } from './streamed.ts';

/** A file of an image's, as the features find it. */
export interface ServedFile {
  /** What is at it never changes. */
  name: string;
  bytes: number;
  type: string;
  /** Undefined where it is missing after all. */
  open(): Promise<Readable | undefined>;
}

/** What every one of them says: nothing in it is run, whatever it may be taken for. */
const SAFE = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"];

/** The answer with a file; undefined where it is missing. `headers` say who may keep it. */
export async function fileResponse(
  { request }: RequestContext,
  file: ServedFile,
  headers: readonly string[],
): Promise<HttpResponse | undefined> {
  const etag = `"${file.name}"`;
  const known = request.headers['if-none-match'];
  if (known?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    return { status: 304, headers: ['ETag', etag, ...headers], body: '' };
  }
  const all = headers.concat('ETag', etag, 'Content-Type', file.type, 'Content-Length', String(file.bytes), SAFE);
  if (request.method === 'HEAD') return { status: 200, headers: all, body: '' };
  const source = await file.open();
  return source && { status: 200, headers: all, body: streamed(source, file.bytes) };
}
