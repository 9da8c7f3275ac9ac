import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import type { HttpResponse, RequestContext, StreamedBody } from './request-context.ts';

const compress = {
  br: promisify<Buffer, object, Buffer>(brotliCompress),
  gzip: promisify<Buffer, object, Buffer>(gzip),
};

// Quality 5 of 11 gives nearly all of the gain at about gzip's cost.
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** Shorter bodies gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 200;

/**
 * Up to this size Node is faster with a string of the bytes, which it sends in one piece with the headers. A page of 8 KB
 * takes 31 µs instead of 38 µs.
 */
const MAX_STRING_BYTES = 32 * 1024;

/**
 * The time after a change in which the modification time is not used: the second of the change, and one more for requests
 * that began in it.
 */
const UNSTABLE_MS = 2000;

type Encoding = keyof typeof compress;

interface ContentOptions {
  /** 200 if not given. Only a 200 can become a 304. */
  readonly status?: number;
  /** When the content last changed, in milliseconds since 1970. */
  readonly lastModified?: number;
}

/**
 * A finished answer that can be sent many times: its bytes, its entity tag, and its compressed forms, each made when first
 * requested.
 */
export class Content {
  readonly #bytes: Buffer | string | StreamedBody;
  readonly #headers: readonly string[];
  readonly #etag: string;
  readonly #status: number;
  /** The time of `Last-Modified`, in milliseconds since 1970; NaN if clients are not told. */
  readonly #modified: number;
  readonly #canCompress: boolean;
  readonly #plain: HttpResponse;
  readonly #notModified: HttpResponse;
  readonly #encoded: Partial<Record<Encoding, HttpResponse | Promise<HttpResponse>>> = {};

  /** `etag` is weak (`W/"…"`), because every encoding has the same one. */
  constructor(
    bytes: Buffer | StreamedBody,
    headers: readonly string[],
    etag: string,
    { status = 200, lastModified }: ContentOptions = {},
  ) {
    this.#bytes = isShort(bytes) ? bytes.toString('latin1') : bytes;
    this.#canCompress = !Buffer.isBuffer(bytes) || bytes.length >= MIN_COMPRESSED_BYTES;
    this.#etag = etag;
    this.#status = status;
    // The times of HTTP are in whole seconds.
    this.#modified = lastModified === undefined ? Number.NaN : Math.floor(lastModified / 1000) * 1000;
    this.#headers = headers.concat(
      status === 200 ? ['ETag', etag] : [],
      status === 200 && lastModified !== undefined ? ['Last-Modified', new Date(lastModified).toUTCString()] : [],
      'Vary',
      'Accept-Encoding',
    );
    this.#plain = { status, headers: withLength(this.#headers, bytes), body: this.#bytes };
    this.#notModified = { status: 304, headers: notModifiedHeaders(this.#headers), body: '' };
  }

  /** Returns the answer for this client: 304 if it has these bytes already, else the bytes in an encoding it accepts. */
  answer({ request: { headers } }: RequestContext): HttpResponse | Promise<HttpResponse> {
    // Another change within the same second would give two versions one Last-Modified.
    const isTooRecent = Date.now() < this.#modified + UNSTABLE_MS;
    if (this.#status === 200 && this.#isKnown(headers, isTooRecent)) return this.#notModified;
    const answer = this.#ofAccepted(headers);
    if (!isTooRecent) return answer;
    return answer instanceof Promise ? answer.then(withoutTime) : withoutTime(answer);
  }

  #ofAccepted(headers: IncomingHttpHeaders): HttpResponse | Promise<HttpResponse> {
    const accepted = headers['accept-encoding'];
    if (accepted === undefined || !this.#canCompress) return this.#plain;
    const encoding = bestEncoding(accepted, this.#isStreamed ? onlyGzip : all);
    if (!encoding) return this.#plain;
    return this.#encoded[encoding] ?? this.#compressed(encoding);
  }

  get #isStreamed(): boolean {
    return typeof this.#bytes === 'object' && !Buffer.isBuffer(this.#bytes);
  }

  #isKnown(headers: IncomingHttpHeaders, isTooRecent: boolean): boolean {
    const known = headers['if-none-match'];
    // An entity tag takes precedence over the time: RFC 9110, section 13.1.3.
    if (known !== undefined) return matches(known, this.#etag);
    const since = headers['if-modified-since'];
    return since !== undefined && !isTooRecent && Date.parse(since) >= this.#modified;
  }

  #compressed(wanted: Encoding): HttpResponse | Promise<HttpResponse> {
    const bytes = this.#bytes;
    if (typeof bytes !== 'string' && !Buffer.isBuffer(bytes)) {
      // The body is too large to keep a compressed copy, and brotli would take too long.
      const body: StreamedBody = { size: undefined, sendTo: (target) => sendCompressed(bytes, target) };
      return { status: this.#status, headers: [...this.#headers, 'Content-Encoding', 'gzip'], body };
    }
    const plain = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes;
    const made = compress[wanted](plain, wanted === 'br' ? brotliOptions : {}).then((body) => {
      const headers = withLength(this.#headers, body).concat('Content-Encoding', wanted);
      const answer = { status: this.#status, headers, body: isShort(body) ? body.toString('latin1') : body };
      this.#encoded[wanted] = answer;
      return answer;
    });
    this.#encoded[wanted] = made;
    // Only requests that are already waiting see the failure: it may be temporary, so the next request tries again.
    made.catch(() => delete this.#encoded[wanted]);
    return made;
  }
}

/**
 * The size of bodies whose compression pays off if they are sent only once: shorter ones gain too little, longer ones take
 * too long.
 */
const [MIN_ONCE_BYTES, MAX_ONCE_BYTES] = [1000, 1024 * 1024];

/**
 * Compresses an answer that is sent only once, if the client accepts it. The body must be a byte string; others are returned
 * unchanged.
 */
export async function compressedOnce(
  answer: HttpResponse,
  { request: { headers } }: RequestContext,
): Promise<HttpResponse> {
  const { body } = answer;
  if (typeof body !== 'string' || body.length < MIN_ONCE_BYTES || body.length > MAX_ONCE_BYTES) return answer;
  const encoding = bestEncoding(headers['accept-encoding'] ?? '', all);
  if (!encoding) return answer;
  const bytes = await compress[encoding](Buffer.from(body, 'latin1'), encoding === 'br' ? brotliOptions : {});
  const others = answer.headers.toSpliced(answer.headers.indexOf('Content-Length'), 2);
  return {
    ...answer,
    headers: withLength(others, bytes).concat('Content-Encoding', encoding, 'Vary', 'Accept-Encoding'),
    body: bytes,
  };
}

function withoutTime(answer: HttpResponse): HttpResponse {
  const at = answer.headers.indexOf('Last-Modified');
  return at === -1 ? answer : { ...answer, headers: answer.headers.toSpliced(at, 2) };
}

function isShort(bytes: Buffer | StreamedBody): bytes is Buffer {
  return Buffer.isBuffer(bytes) && bytes.length <= MAX_STRING_BYTES;
}

async function sendCompressed(bytes: StreamedBody, target: Writable): Promise<void> {
  const gzip = createGzip({ level: 4 });
  try {
    await Promise.all([bytes.sendTo(gzip), pipeline(gzip, target)]);
  } finally {
    // If the client has disconnected, Node leaves this stream open, and the source that writes to it.
    gzip.destroy();
  }
}

function withLength(headers: readonly string[], body: Buffer | StreamedBody): string[] {
  const size = Buffer.isBuffer(body) ? body.length : body.size;
  return size === undefined ? [...headers] : headers.concat('Content-Length', String(size));
}

/** Returns the headers of a 304 (RFC 9110, section 15.4.5). The omitted ones describe a body that is not sent. */
function notModifiedHeaders(headers: readonly string[]): string[] {
  const wanted = new Set(['Cache-Control', 'ETag', 'Vary']);
  return headers.flatMap((name, index) => (index % 2 === 0 && wanted.has(name) ? [name, headers[index + 1]!] : []));
}

/** Returns a weak entity tag made from a hash of the bytes. */
export function etagOf(bytes: Buffer | string): string {
  return `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

/** Returns whether `If-None-Match` includes the tag, by the weak comparison of RFC 9110, section 8.8.3.2. */
function matches(known: string, etag: string): boolean {
  if (known === etag || known === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

const all: readonly Encoding[] = ['br', 'gzip'];
const onlyGzip: readonly Encoding[] = ['gzip'];

/**
 * The recent values of `Accept-Encoding` with their meaning: clients send few different ones. Parsing a value takes 1 µs, a
 * sixteenth of the whole time of a cached page.
 */
const remembered = new Map<string, Record<Encoding, number>>();
const MAX_REMEMBERED = 100;

/** Returns the offered encoding with the highest weight; of equal ones, the first. */
function bestEncoding(accepted: string, offered: readonly Encoding[]): Encoding | undefined {
  let weights = remembered.get(accepted);
  if (!weights) {
    weights = weightsIn(accepted);
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    if (accepted.length < 200) remembered.set(accepted, weights);
  }
  let best: Encoding | undefined;
  for (const encoding of offered) if (weights[encoding] > (best ? weights[best] : 0)) best = encoding;
  return best;
}

function weightsIn(accepted: string): Record<Encoding, number> {
  const weights: Record<string, number> = {};
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    weights[name] = Number.isNaN(weight) ? 0 : weight;
  }
  const weightOf = (name: string) => weights[name] ?? weights['*'] ?? 0;
  return { br: weightOf('br'), gzip: weightOf('gzip') };
}
