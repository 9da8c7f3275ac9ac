import { decodeUtf8, type Fields, malformed, type ObjectShape } from './form-shape.ts';
import { endOfString, exceedsLimits, isName, type StringEnds } from './json-scan.ts';

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
const MAX_VALUES = 100_000;

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

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
