import { STEP_CHARACTERS, type Steps } from '../steps.ts';
import { endOfString, hasTooMuch, isName, type StringEnds } from './json-scan.ts';

/** Far more than any form of the admin app sends. Counted before anything is parsed. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 16;

/**
 * Parses JSON where there are no two ways to read it: no object names a member twice, of which `JSON.parse` would keep the
 * last in silence, and no text has half a character.
 * @throws SyntaxError, also for more than `MAX_VALUES` values or `MAX_DEPTH` levels
 */
export function* parseStrictJson(json: string): Steps<unknown> {
  const ends: StringEnds = new Map();
  if (yield* hasTooMuch(json, { maxValues: MAX_VALUES, maxDepth: MAX_DEPTH }, ends))
    throw new SyntaxError('Too many values.');
  const isLong = json.length > STEP_CHARACTERS;
  if (isLong) yield;
  const document: unknown = JSON.parse(json);
  if (isLong) yield;
  if (yield* namesTwice(json, ends)) throw new SyntaxError('A name comes twice.');
  // Half of a character can only have come as an escape.
  if (/\\ud/i.test(json) && !isWellFormed(document)) throw new SyntaxError('A text has half a character.');
  return document;
}

/** Whether an object of valid JSON has a name twice. Goes from string to string, so that a long one costs next to nothing. */
function* namesTwice(json: string, ends: StringEnds): Steps<boolean> {
  const open: Set<string>[] = [];
  const mark = /["{}[\]]/g;
  while (mark.test(json)) {
    const start = mark.lastIndex - 1;
    const character = json[start];
    if (character === '{' || character === '[') open.push(new Set());
    else if (character !== '"') open.pop();
    if (character !== '"') continue;
    const end = (ends.get(start) ?? (yield* endOfString(json, start))) + 1;
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
