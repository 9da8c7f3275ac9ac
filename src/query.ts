/*
 * Reads queries in linear time. `URLSearchParams` takes quadratic time where names come without `=`: 2 MB of `a&` block a
 * process for 12 seconds.
 */

/** Returns the first value of `name` in the query, like `URLSearchParams.get`; undefined if there is none. */
export function queryValue(query: string, name: string): string | undefined {
  for (const value of queryValues(query, name)) return value;
  return undefined;
}

/**
 * Yields each value of `name` in the query, as `URLSearchParams.getAll` has them. Takes time in proportion to the query's
 * length, and no memory but for the value.
 */
export function* queryValues(query: string, name: string): Generator<string> {
  const wanted = encoder.encode(name);
  for (let start = nextOf(query, 0, wanted); start !== -1; ) {
    const next = query.indexOf('&', start);
    const end = next === -1 ? query.length : next;
    const pair = query.slice(start, end);
    const equals = pair.indexOf('=');
    yield equals === -1 ? '' : decode(pair.slice(equals + 1));
    start = nextOf(query, end + 1, wanted);
  }
}

/** Returns the start of the next pair with that name; -1 if there is none. */
function nextOf(query: string, from: number, wanted: Uint8Array): number {
  for (let start = from; start < query.length; start++) {
    if (isNamed(query, start, wanted)) return start;
    // Not `indexOf`, whose call costs more than the few characters that most pairs have.
    while (start < query.length && query.charCodeAt(start) !== AMPERSAND) start += 1;
  }
  return -1;
}

/** Tells whether the pair at `start` has the name, which its first character nearly always tells already. */
function isNamed(query: string, start: number, wanted: Uint8Array): boolean {
  let at = start;
  for (let index = 0; index < wanted.length; index++, at++) {
    let code = query.charCodeAt(at);
    if (code === AMPERSAND || code === EQUALS) return false;
    if (code === PLUS) code = SPACE;
    if (code === PERCENT) {
      const encoded = hex(query.charCodeAt(at + 1)) * 16 + hex(query.charCodeAt(at + 2));
      if (!Number.isNaN(encoded)) [code, at] = [encoded, at + 2];
    }
    if (code !== wanted[index]) return false;
  }
  const code = query.charCodeAt(at);
  return at === query.length ? wanted.length > 0 : code === EQUALS || code === AMPERSAND;
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
const AMPERSAND = 0x26;
