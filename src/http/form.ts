import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { type Fields, malformed, type ObjectShape } from './form-shape.ts';

export { readJson } from './form-json.ts';
export { decodeUtf8, type Fields, malformed, type ObjectShape, type Scalar } from './form-shape.ts';

/*
 * The API's parameters are `object[field]=value`, or the equivalent JSON. Parsing is strict where PHP, Rack or qs would
 * guess. A field that is given twice, as a list or as an object, or text that is not UTF-8, is `malformed`. Unknown fields
 * are ignored, whatever their shape.
 */

/** @throws AppError `malformed` */
export function readUrlEncoded(text: string, { object, fields }: ObjectShape): Fields | undefined {
  const reader = new PairReader(object, fields);
  readPairs(text, (name, value) => reader.add(name, value));
  return reader.result();
}

/**
 * Returns the value of one field of a form, or undefined if it was not sent.
 * @throws AppError `malformed`, also if it was sent twice
 */
export function readFormField(text: string, wanted: string): string | undefined {
  let found: string | undefined;
  readPairs(text, (name, value) => {
    if (name !== wanted) return;
    if (found !== undefined) throw malformed();
    found = value;
  });
  return found;
}

function readPairs(text: string, add: (name: string, value: string) => void): void {
  let start = 0;
  for (let count = 0; start < text.length; count++) {
    if (count === MAX_PAIRS) throw malformed();
    const next = text.indexOf('&', start);
    const end = next === -1 ? text.length : next;
    if (end > start) readPair(text.slice(start, end), add);
    start = end + 1;
  }
}

/** More fields than any form has, and few enough to be read quickly. */
const MAX_PAIRS = 10_000;

function readPair(pair: string, add: (name: string, value: string) => void): void {
  const equals = pair.indexOf('=');
  const name = decode(equals === -1 ? pair : pair.slice(0, equals));
  add(name, equals === -1 ? '' : decode(pair.slice(equals + 1)));
}

/** @throws AppError `malformed`, also if a field is sent as a file. */
export function readMultipart(bytes: Buffer, contentType: string, shape: ObjectShape): Promise<Fields | undefined> {
  return new Promise((resolve, reject) => {
    const reader = new PairReader(shape.object, shape.fields);
    let hasFailed = false;
    const fail = () => {
      hasFailed = true;
      reject(malformed());
    };
    // The parser would repair invalid UTF-8, which must be refused.
    if (!isUtf8(bytes)) return fail();
    let parser: BusboyInstance;
    try {
      parser = multipartParser(contentType, { maxFieldBytes: bytes.length, maxParts: MAX_PARTS });
    } catch {
      return fail();
    }
    parser.on('field', (...field) => {
      try {
        addField(reader, field);
      } catch {
        fail();
      }
    });
    parser.on('file', (name, stream) => {
      // A body that ends within the file emits an error on the file's stream. Without a listener it would end the process.
      stream.on('error', fail);
      stream.resume();
      if (reader.wants(name)) fail();
    });
    parser.on('fieldsLimit', fail);
    // Files and parts without a name count too: millions of them would take gigabytes.
    parser.on('partsLimit', fail);
    parser.on('error', fail);
    parser.on('finish', () => {
      try {
        resolve(reader.result());
      } catch {
        fail();
      }
    });
    // In pieces, so that parsing stops soon after an error.
    for (let at = 0; at < bytes.length && !hasFailed; at += PIECE_BYTES)
      parser.write(bytes.subarray(at, at + PIECE_BYTES));
    if (!hasFailed) parser.end();
  });
}

/** @throws if the type has no boundary. */
export function multipartParser(
  contentType: string,
  { maxFieldBytes, maxParts }: { maxFieldBytes: number; maxParts: number },
): BusboyInstance {
  return new Busboy({
    headers: { 'content-type': contentType },
    limits: {
      fieldSize: maxFieldBytes,
      fields: maxParts,
      parts: maxParts,
      headerPairs: 100,
      headerSize: MAX_PART_HEADER_BYTES,
    },
  });
}

/** Adds a field that the parser has found. @throws AppError `malformed` */
export function addField(
  reader: PairReader,
  [name, value, nameTruncated, valueTruncated, transferEncoding]: readonly [
    string,
    string,
    boolean,
    boolean,
    string,
    string,
  ],
): void {
  if (nameTruncated || valueTruncated || !plainEncodings.has(transferEncoding)) throw malformed();
  reader.add(name, value);
}

/** More parts than any form has. Part headers are read word by word, ten times as slowly as the content. */
const MAX_PARTS = 1000;
/** The most bytes of a part's header that are read. A part without a name in them is malformed. */
const MAX_PART_HEADER_BYTES = 2048;

/** A piece has at most some thousand parts, each of which takes microseconds. */
const PIECE_BYTES = 8 * 1024;

/**
 * The transfer encodings that leave a part's bytes unchanged. RFC 7578 dropped base64 and others, which would be stored
 * undecoded.
 */
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

/** Collects the object's fields from names and values in any order. */
export class PairReader {
  readonly #object: string;
  readonly #fields: ReadonlySet<string>;
  readonly #found: Fields = new Map();
  #isObject = false;

  constructor(object: string, fields: ReadonlySet<string>) {
    this.#object = object;
    this.#fields = fields;
  }

  wants(name: string): boolean {
    return name === this.#object || name.startsWith(`${this.#object}[`);
  }

  add(name: string, value: string): void {
    if (!this.wants(name)) return;
    // `page=x` is not an object.
    if (name === this.#object) throw malformed();
    const inner = name.slice(this.#object.length + 1);
    const close = inner.indexOf(']');
    // `page[]=x` is a list, and `page[name` has no end.
    if (close <= 0) throw malformed();
    this.#isObject = true;
    const field = inner.slice(0, close);
    if (!this.#fields.has(field)) return;
    // `page[name][]=x`, `page[name][x]=y`, or a second `page[name]=z`.
    if (close !== inner.length - 1 || this.#found.has(field)) throw malformed();
    this.#found.set(field, value);
  }

  /** Returns the fields, or undefined if the request does not mention the object. */
  result(): Fields | undefined {
    return this.#isObject ? this.#found : undefined;
  }
}

/** Percent-decodes a name or value of a form. @throws AppError `malformed` for a broken encoding or broken UTF-8 */
function decode(text: string): string {
  const spaced = text.includes('+') ? withSpaces(text) : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw malformed();
  }
}

/** Replaces plus signs with spaces. For megabytes of them, `replaceAll` takes seconds. */
function withSpaces(text: string): string {
  if (text.length < 10_000) return text.replaceAll('+', ' ');
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString();
}

const PLUS = 43;
const SPACE = 32;
