import { endOfString, exceedsLimits, isName, type StringEnds } from './json-scan.ts';

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
  if (namesTwice(json, ends)) throw new SyntaxError('A name comes twice.');
  // Half of a character can only have come as an escape.
  if (/\\ud/i.test(json) && !isWellFormed(document)) throw new SyntaxError('A text has half a character.');
  return document;
}

/** Whether an object of valid JSON has a name twice. Goes from string to string, so that a long one costs next to nothing. */
function namesTwice(json: string, ends: StringEnds): boolean {
  const open: Set<string>[] = [];
  const mark = /["{}[\]]/g;
  while (mark.test(json)) {
    const start = mark.lastIndex - 1;
    const character = json[start];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character !== '"') open.pop();
    if (character !== '"') continue;
    const end = (ends.get(start) ?? endOfString(json, start)) + 1;
    mark.lastIndex = end;
    if (!isName(json, end)) continue;
    const name: string = JSON.parse(json.slice(start, end));
    const names = open.at(-1)!;
    if (names.has(name)) return true;
    names.add(name);
  }
  return false;
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, inner]) => name.isWellFormed() && isWellFormed(inner));
}
