import { hash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createGzip, gzip } from 'node:zlib';
import type { Answer, Exchange, StreamedBody } from './exchange.ts';

const compress = {
  br: promisify<Buffer, object, Buffer>(brotliCompress),
  gzip: promisify<Buffer, object, Buffer>(gzip),
};

// Quality 5 of 11: nearly all of the gain at about gzip's price.
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** Below this there is nothing to gain. In bytes. */
const LEAST_TO_COMPRESS = 200;

/** Up to this a body is quickest as a string, which Node sends in one piece with the headers. In bytes. */
const LARGEST_STRING = 1400;

type Encoding = keyof typeof compress;

/**
 * A finished answer that can be sent many times: its bytes, the tag that names them, and its compressed forms, each
 * made when first asked for.
 */
export class Content {
  readonly #bytes: Buffer | StreamedBody;
  readonly #headers: readonly string[];
  readonly #etag: string;
  readonly #compressible: boolean;
  readonly #plain: Answer;
  readonly #notModified: Answer;
  readonly #encoded: Partial<Record<Encoding, Promise<Buffer>>> = {};

  /** `etag` is a weak one (`W/"…"`): the same for every encoding. */
  constructor(bytes: Buffer | StreamedBody, headers: readonly string[], etag: string) {
    this.#bytes = bytes;
    this.#etag = etag;
    const size = Buffer.isBuffer(bytes) ? bytes.length : Number.POSITIVE_INFINITY;
    this.#compressible = size >= LEAST_TO_COMPRESS;
    this.#headers = headers.concat('ETag', etag, this.#compressible ? ['Vary', 'Accept-Encoding'] : []);
    const body = Buffer.isBuffer(bytes) && size < LARGEST_STRING ? bytes.toString('latin1') : bytes;
    this.#plain = { status: 200, headers: withLength(this.#headers, bytes), body };
    this.#notModified = { status: 304, headers: ofNotModified(this.#headers), body: '' };
  }

  /** The answer for this client: 304 when it has these bytes already, else the bytes in an encoding it takes. */
  answer({ request: { headers } }: Exchange): Answer | Promise<Answer> {
    const known = headers['if-none-match'];
    if (known !== undefined && matches(known, this.#etag)) return this.#notModified;
    const accepted = headers['accept-encoding'];
    if (accepted === undefined || !this.#compressible) return this.#plain;
    const encoding = bestEncoding(accepted, Buffer.isBuffer(this.#bytes) ? ['br', 'gzip'] : ['gzip']);
    return encoding ? this.#compressed(encoding) : this.#plain;
  }

  async #compressed(wanted: Encoding): Promise<Answer> {
    const bytes = this.#bytes;
    if (!Buffer.isBuffer(bytes)) {
      // Too large to keep a second form of it, and brotli would take too long.
      const body: StreamedBody = { size: undefined, sendTo: (target) => sendZipped(bytes, target) };
      return { status: 200, headers: [...this.#headers, 'Content-Encoding', 'gzip'], body };
    }
    this.#encoded[wanted] ??= compress[wanted](bytes, wanted === 'br' ? brotliOptions : {});
    const body = await this.#encoded[wanted];
    return { status: 200, headers: withLength(this.#headers, body).concat('Content-Encoding', wanted), body };
  }
}

async function sendZipped(bytes: StreamedBody, target: Writable): Promise<void> {
  const gzip = createGzip({ level: 4 });
  await Promise.all([bytes.sendTo(gzip), pipeline(gzip, target)]);
}

function withLength(headers: readonly string[], body: Buffer | StreamedBody): string[] {
  const size = Buffer.isBuffer(body) ? body.length : body.size;
  return size === undefined ? [...headers] : headers.concat('Content-Length', String(size));
}

/** What RFC 9110, section 15.4.5 wants of a 304: the rest describes a body that is not sent. */
function ofNotModified(headers: readonly string[]): string[] {
  const wanted = new Set(['Cache-Control', 'ETag', 'Vary']);
  return headers.flatMap((name, index) => (index % 2 === 0 && wanted.has(name) ? [name, headers[index + 1]!] : []));
}

/** A weak tag that names the bytes by their hash. */
export function etagOf(bytes: Buffer | string): string {
  return `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
}

/** Whether `If-None-Match` names the tag, by the weak comparison of RFC 9110, section 8.8.3.2. */
function matches(known: string, etag: string): boolean {
  if (known === etag || known === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return known.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

/** The encoding the client likes best of those on offer; the first of them where it likes several the same. */
function bestEncoding(accepted: string, offered: readonly Encoding[]): Encoding | undefined {
  const weights: Record<string, number> = {};
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? 1);
    weights[name] = Number.isNaN(weight) ? 0 : weight;
  }
  const weightOf = (name: string) => weights[name] ?? weights['*'] ?? 0;
  const best = offered.toSorted((a, b) => weightOf(b) - weightOf(a))[0]!;
  return weightOf(best) > 0 ? best : undefined;
}
