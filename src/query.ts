/*
 * Reads queries in linear time. `URLSearchParams` takes quadratic time where names come without `=`: 2 MB of `a&` block a
 * process for 12 seconds.
 */

/** Returns the first value of `name` in the query, like `URLSearchParams.get`; undefined where there is none. */
export function queryValue(query: string, name: string): string | undefined {
  for (const value of queryValues(query, name)) return value;
  return undefined;
}

/**
 * Yields each value of `name` in the query, as `URLSearchParams.getAll` has them. Takes time in proportion to the query's
 * length, and no memory but for the value.
 */
export function* queryValues(query: string, name: string): Generator<string> {
  for (let start = 0; start < query.length; ) {
    const next = query.indexOf('&', start);
    const end = next === -1 ? query.length : next;
    // Not `indexOf`, which would look for it in the rest of the query, over and over.
    let equals = start;
    while (equals < end && query.charCodeAt(equals) !== EQUALS) equals += 1;
    if (isName(query, start, equals, name)) yield equals === end ? '' : decode(query.slice(equals + 1, end));
    start = end + 1;
  }
}

function isName(query: string, start: number, end: number, name: string): boolean {
  const length = end - start;
  // Nearly every name can be told by its length: percent-encoding makes nine characters of one at most.
  if (length === 0 || length < name.length || length > name.length * 9) return false;
  return decode(query.slice(start, end)) === name;
}

/** Never throws: thousands of exceptions for broken encoding would take longer than all the rest. */
function decode(text: string): string {
  if (!/[%+]/.test(text)) return text.toWellFormed();
  const bytes = encoder.encode(text);
  let length = 0;
  for (let at = 0; at < bytes.length; at++, length++) {
    const byte = bytes[at]!;
    const code = byte === PERCENT ? hex(bytes[at + 1]) * 16 + hex(bytes[at + 2]) : Number.NaN;
    if (!Number.isNaN(code)) at += 2;
    bytes[length] = byte === PLUS ? SPACE : Number.isNaN(code) ? byte : code;
  }
  return decoder.decode(bytes.subarray(0, length));
}

/** The value of a hexadecimal digit's character code; NaN for every other. */
function hex(code = 0): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;
const EQUALS = 0x3d;
