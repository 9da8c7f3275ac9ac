import { decodeUtf8, type Fields, malformed, type ObjectShape } from './form-shape.ts';
import { exceedsLimits, hasMemberTwice, type StringEnds } from './json-scan.ts';

/** @throws AppError `malformed` */
export function readJson(bytes: Buffer, shape: ObjectShape): Fields | undefined {
  const { object, fields } = shape;
  const text = decodeUtf8(bytes);
  const ends: StringEnds = new Map();
  if (exceedsLimits(text, { maxValues: MAX_VALUES }, ends)) throw malformed();
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw malformed();
  }
  if (!isObject(document) || hasFieldTwice(text, shape, ends)) throw malformed();
  if (!Object.hasOwn(document, object)) return undefined;
  const found = document[object];
  if (!isObject(found)) throw malformed();
  const result: Fields = new Map();
  for (const field of fields) {
    // Clients send null for a field that they leave out.
    if (!Object.hasOwn(found, field) || found[field] === null) continue;
    const value = found[field];
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') throw malformed();
    if (typeof value === 'string' && !value.isWellFormed()) throw malformed();
    // 1e999, or an integer with more digits than a double holds, would be stored as another number.
    if (typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER) throw malformed();
    result.set(field, value);
  }
  return result;
}

/** Far more values than any request has. 20 MiB of nothing but brackets would hold up all requests for seconds. */
const MAX_VALUES = 100_000;

/** Returns whether valid JSON has the object, or one of its fields, twice. */
function hasFieldTwice(json: string, { object, fields }: ObjectShape, ends: StringEnds): boolean {
  let isInObject = false;
  return hasMemberTwice(json, ends, 2, (depth, name) => {
    if (depth === 1) isInObject = name === object;
    return isInObject && (depth === 1 || fields.has(name));
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
