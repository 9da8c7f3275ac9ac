import { decodeUtf8, type Fields, malformed, type ObjectShape } from './form-shape.ts';

/** @throws AppError `malformed` */
export function readJson(bytes: Buffer, shape: ObjectShape): Fields | undefined {
  const { object, fields } = shape;
  const text = decodeUtf8(bytes);
  const ends: StringEnds = new Map();
  if (hasTooMuch(text, ends)) throw malformed();
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (!isObject(document) || namesTwice(text, shape, ends)) throw malformed();
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

/** Where long strings end, by where they begin: a text of 16 MB with many quotation marks takes 100 ms to be gone through. */
type StringEnds = Map<number, number>;

/** In characters: few enough of these fit into a body that they take no room to speak of. */
const LONG_STRING = 10_000;

/** Whether JSON, valid or not, has more values than that. Goes from string to string, like the next. */
function hasTooMuch(json: string, ends: StringEnds): boolean {
  const mark = /[",[{]/g;
  let [values, texts] = [0, 0];
  while (mark.test(json)) {
    const index = mark.lastIndex - 1;
    if (json[index] === '"') {
      const end = endOfString(json, index);
      if (end === -1) return false;
      if (end - index > LONG_STRING) ends.set(index, end);
      mark.lastIndex = end + 1;
      texts += 1;
    } else values += 1;
    // With each value there may be its name.
    if (values > MOST_VALUES || texts > 2 * (MOST_VALUES + 1)) return true;
  }
  return false;
}

/**
 * Whether valid JSON names the object or one of its fields twice, of which `JSON.parse` would keep the last in silence.
 * Goes from string to string, so that a long one costs next to nothing.
 */
function namesTwice(json: string, { object, fields }: ObjectShape, ends: StringEnds): boolean {
  const seen = new Set<string>();
  const mark = /["{}[\]]/g;
  let depth = 0;
  let isInObject = false;
  while (mark.test(json)) {
    const start = mark.lastIndex - 1;
    const character = json[start];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (character !== '"') continue;
    const index = ends.get(start) ?? endOfString(json, start);
    mark.lastIndex = index + 1;
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

/** Whether a colon follows: only names have one. */
function isName(json: string, index: number): boolean {
  let next = index;
  while (json.charCodeAt(next) <= SPACE) next += 1;
  return json[next] === ':';
}

const SPACE = 32;

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
