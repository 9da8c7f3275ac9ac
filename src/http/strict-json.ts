import { exceedsLimits, hasMemberTwice, type StringEnds } from './json-scan.ts';

/** Far more than any form of the admin app sends. Counted before anything is parsed. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 16;

/**
 * Parses JSON that has only one meaning: no object has a member twice, of which `JSON.parse` would silently keep the
 * last, and no text has half a character.
 * @throws SyntaxError, also for more than `MAX_VALUES` values or `MAX_DEPTH` levels
 */
export function parseStrictJson(json: string): unknown {
  const ends: StringEnds = new Map();
  if (exceedsLimits(json, { maxValues: MAX_VALUES, maxDepth: MAX_DEPTH }, ends))
    throw new SyntaxError('Too many values.');
  const document: unknown = JSON.parse(json);
  if (hasMemberTwice(json, ends)) throw new SyntaxError('A name comes twice.');
  // Half of a character can only have come as an escape.
  if (/\\ud/i.test(json) && !isWellFormed(document)) throw new SyntaxError('A text has half a character.');
  return document;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}
