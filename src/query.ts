/*
 * Reads queries in linear time. `URLSearchParams` takes quadratic time for names without `=`: 2 MB of `a&` block a process
 * for 12 seconds.
 */

/** Returns the first value of `name` in the query, like `URLSearchParams.get`; undefined if there is none. */
export function queryValue(query: string, name: string): string | undefined {
  for (const value of queryValues(query, name)) return value;
  return undefined;
}

/** Yields each value of `name` in the query, like `URLSearchParams.getAll`. */
export function* queryValues(query: string, name: string): Generator<string> {
  for (const [, value = ''] of query.matchAll(pairPattern(name))) yield decode(value);
}

/** Returns a pattern that matches the pairs with the name. Its group is the value. */
export function pairPattern(name: string): RegExp {
  return patterns.getOrInsertComputed(name, () => {
    const characters = [...name].map((character) => `(?:${[encoded(character), ...literal(character)].join('|')})`);
    return new RegExp(`(?:^|&)${characters.join('')}(?:=([^&]*))?(?=&|$)`, 'g');
  });
}

/** A cache of the patterns. It is bounded, since all names come from our own code. */
const patterns = new Map<string, RegExp>();

/** Returns a pattern of the character's bytes in percent-encoding, with hexadecimal digits in either case. */
function encoded(character: string): string {
  return [...encoder.encode(character)]
    .map((byte) => `%${byte.toString(16).padStart(2, '0')}`)
    .join('')
    .replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** Returns the unencoded forms that the character may have in a name. */
function literal(character: string): string[] {
  if (character === ' ') return [' ', '\\+'];
  return ['=', '&', '+'].includes(character) ? [] : [RegExp.escape(character)];
}

/** Decodes a value. Never throws: thousands of exceptions for broken encoding would take longer than everything else. */
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

/** Returns the value of a hexadecimal digit, given its character code; NaN for any other character. */
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
