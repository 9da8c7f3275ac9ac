import { exceedsLimits, hasMemberTwice, type JsonLimits, type StringEnds } from './json-scan.ts';

/** Far more values and levels than any form of the admin app sends. */
const FORM_LIMITS: JsonLimits = { maxValues: 10_000, maxDepth: 16 };

/**
 * Parses JSON that has only one meaning. No object has a member twice, of which `JSON.parse` would silently keep the last,
 * and no text has half a character (a lone surrogate).
 * @throws SyntaxError, also for more values or levels than the limits, which are counted before anything is parsed
 */
export function parseStrictJson(json: string, limits = FORM_LIMITS): unknown {
  const ends: StringEnds = new Map();
  if (exceedsLimits(json, limits, ends)) throw new SyntaxError('Too many values.');
  const document: unknown = JSON.parse(json);
  if (hasMemberTwice(json, ends)) throw new SyntaxError('An object has the same name twice.');
  // Half a character can only have come from an escape.
  if (/\\ud/i.test(json) && !isWellFormed(document)) throw new SyntaxError('A text has half a character.');
  return document;
}

/** Some more values than the fields of the largest site, and more levels. */
const DOCUMENT_LIMITS: JsonLimits = { maxValues: 500_000, maxDepth: 100 };

/** Parses a document that holds a whole site. @throws SyntaxError like `parseStrictJson` */
export function parseLargeJson(json: string): unknown {
  return parseStrictJson(json, DOCUMENT_LIMITS);
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}
