import { isUtf8 } from 'node:buffer';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '../errors.ts';

export type Scalar = string | number | boolean;
/** The fields of one object of a request. */
export type Fields = Map<string, Scalar>;

/*
 * The interface's parameters are `object[field]=value`, or the same as JSON. Everything here is strict where PHP, Rack or
 * qs would guess: a field given twice, as a list or as an object, or text that is not UTF-8, is `malformed`. What nobody
 * asked for is ignored whatever its shape.
 */

/** What a request says of the object, by any of its ways. */
export interface ObjectShape {
  /** The object's name: `page` in `page[name]`. */
  readonly object: string;
  readonly fields: ReadonlySet<string>;
}

/** @throws AppError `malformed` */
export function readUrlEncoded(text: string, { object, fields }: ObjectShape): Fields | undefined {
  const reader = new PairReader(object, fields);
  let start = 0;
  for (let count = 0; start < text.length; count++) {
    if (count === MOST_PAIRS) throw malformed();
    const next = text.indexOf('&', start);
    const end = next === -1 ? text.length : next;
    if (end > start) readPair(text.slice(start, end), reader);
    start = end + 1;
  }
  return reader.result();
}

/** More than any form has, and few enough that reading them holds nobody up. */
const MOST_PAIRS = 10_000;

function readPair(pair: string, reader: PairReader): void {
  const equals = pair.indexOf('=');
  const name = decode(equals === -1 ? pair : pair.slice(0, equals));
  reader.add(name, equals === -1 ? '' : decode(pair.slice(equals + 1)));
}

/** @throws AppError `malformed` */
export function readJson(bytes: Buffer, shape: ObjectShape): Fields | undefined {
  const { object, fields } = shape;
  const text = decodeUtf8(bytes);
  if (hasTooMuch(text)) throw malformed();
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (!isObject(document) || namesTwice(text, shape)) throw malformed();
  if (!Object.hasOwn(document, object)) return undefined;
  const found = document[object];
  if (!isObject(found)) throw malformed();
  const result: Fields = new Map();
  for (const field of fields) {
    // A null is a client's way of leaving a field out.
    if (!Object.hasOwn(found, field) || found[field] === null) continue;
    const value = found[field];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') throw malformed();
    if (typeof value === 'string' && !value.isWellFormed()) throw malformed();
    // 1e999, or an integer with more digits than a double holds: it would be kept as another number.
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) throw malformed();
    result.set(field, value);
  }
  return result;
}

/** Far more values than any request has; 20 MiB of nothing but brackets would hold everyone up for seconds. */
const MOST_VALUES = 100_000;

/** Whether JSON, valid or not, has more values than that. Goes from string to string, like the next. */
function hasTooMuch(json: string): boolean {
  let count = 0;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '"') {
      index = endOfString(json, index);
      if (index === -1) return false;
    } else if (character === ',' || character === '[' || character === '{') {
      count += 1;
      if (count > MOST_VALUES) return true;
    }
  }
  return false;
}

/**
 * Whether valid JSON names the object or one of its fields twice, of which `JSON.parse` would keep the last in silence.
 * Goes from string to string, so that a long one costs next to nothing.
 */
function namesTwice(json: string, { object, fields }: ObjectShape): boolean {
  const seen = new Set<string>();
  let depth = 0;
  let isInObject = false;
  for (let index = 0; index < json.length; index++) {
    const character = json[index];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (character !== '"') continue;
    const start = index;
    index = endOfString(json, start);
    if (depth > 2 || (depth === 2 && !isInObject) || !isName(json, index + 1)) continue;
    const name: string = JSON.parse(json.slice(start, index + 1));
    if (depth === 1) isInObject = name === object;
    if (depth === 1 ? !isInObject : !fields.has(name)) continue;
    const place = `${depth} ${name}`;
    if (seen.has(place)) return true;
    seen.add(place);
  }
  return false;
}

/** The index of the quotation mark that ends the string beginning at `start`; -1 where none does. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    if (end === -1) return -1;
    let escapes = end;
    while (json[escapes - 1] === '\\') escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
}

const SPACE = 32;

/** Whether a colon follows: only names have one. */
function isName(json: string, index: number): boolean {
  let next = index;
  while (json.charCodeAt(next) <= SPACE) next += 1;
  return json[next] === ':';
}

/** @throws AppError `malformed`, also when a field comes as a file. */
export function readMultipart(bytes: Buffer, contentType: string, shape: ObjectShape): Promise<Fields | undefined> {
  return new Promise((resolve, reject) => {
    const reader = new PairReader(shape.object, shape.fields);
    let failed = false;
    const fail = () => {
      failed = true;
      reject(malformed());
    };
    // The parser would mend broken UTF-8 where we must refuse it.
    if (!isUtf8(bytes)) return fail();
    let parser: BusboyInstance;
    try {
      parser = new Busboy({
        headers: { 'content-type': contentType },
        limits: {
          fieldSize: bytes.length,
          fields: MOST_PAIRS,
          parts: MOST_PAIRS,
          fieldNameSize: 10_000,
          headerPairs: 100,
        },
      });
    } catch {
      return fail();
    }
    parser.on('field', (name, value, nameTruncated, valueTruncated, transferEncoding) => {
      try {
        if (nameTruncated || valueTruncated || !plainEncodings.has(transferEncoding)) throw malformed();
        reader.add(name, value);
      } catch {
        fail();
      }
    });
    parser.on('file', (name, stream) => {
      // A body that ends within the file says so on the file, where nobody listening would end the process.
      stream.on('error', fail);
      stream.resume();
      if (reader.wants(name)) fail();
    });
    parser.on('fieldsLimit', fail);
    // Files and parts without a name count too: millions of them take gigabytes.
    parser.on('partsLimit', fail);
    parser.on('error', fail);
    parser.on('finish', () => {
      try {
        resolve(reader.result());
      } catch {
        fail();
      }
    });
    // In pieces, so that what has failed already is not read to its end.
    for (let at = 0; at < bytes.length && !failed; at += PIECE) parser.write(bytes.subarray(at, at + PIECE));
    parser.end();
  });
}

/** In bytes. */
const PIECE = 256 * 1024;

/** Those of a part that is what it says; base64 and the like went out with RFC 7578, and would be stored undecoded. */
const plainEncodings = new Set(['7bit', '8bit', 'binary']);

export function malformed(): AppError {
  return new AppError('malformed', 'The request is malformed.');
}

/** @throws AppError `malformed` */
export function decodeUtf8(bytes: Buffer): string {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw malformed();
  }
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** Takes names and values as they come and keeps those of the object. */
class PairReader {
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
    // `page=x`: not an object at all.
    if (name === this.#object) throw malformed();
    const inner = name.slice(this.#object.length + 1);
    const close = inner.indexOf(']');
    // `page[]=x` is a list, `page[name` is nothing.
    if (close <= 0) throw malformed();
    this.#isObject = true;
    const field = inner.slice(0, close);
    if (!this.#fields.has(field)) return;
    // `page[name][]=x`, `page[name][x]=y`, or a second `page[name]=z`.
    if (close !== inner.length - 1 || this.#found.has(field)) throw malformed();
    this.#found.set(field, value);
  }

  /** undefined when the request said nothing of the object. */
  result(): Fields | undefined {
    return this.#isObject ? this.#found : undefined;
  }
}

/** A name or value of a form, percent-decoded; broken encoding and broken UTF-8 are malformed. */
function decode(text: string): string {
  const spaced = text.includes('+') ? withSpaces(text) : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw malformed();
  }
}

/** The text with its plus signs as spaces. In megabytes of them, `replaceAll` takes seconds. */
function withSpaces(text: string): string {
  if (text.length < 10_000) return text.replaceAll('+', ' ');
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === PLUS) bytes[at] = SPACE;
  return bytes.toString();
}

const PLUS = 43;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
