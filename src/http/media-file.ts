import type { Readable } from 'node:stream';
import type { HttpResponse, RequestContext } from './request-context.ts';
import { streamed } from './streamed.ts';

/** A file of an image, as found in the store. */
interface ServedFile {
  /** The name of the file. The content under a name never changes. */
  name: string;
  bytes: number;
  type: string;
  /** Opens the file, or returns undefined if it is missing after all. */
  open(): Promise<Readable | undefined>;
}

/** The headers of all images. They keep a file from being executed, whatever type it is mistaken for. */
const SAFE = ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox"];

/** Returns the response with a file, or undefined if the file is missing. `headers` say which caches may keep it. */
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
