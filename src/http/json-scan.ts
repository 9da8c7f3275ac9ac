/*
 * Scans JSON before or after it is parsed. The scans skip over strings, so that a long string costs next to nothing. They
 * take time in proportion to the length.
 */

/**
 * The ends of long strings by their starts: scanning 16 MB with many quotation marks takes 100 ms, and need not be done
 * twice.
 */
export type StringEnds = Map<number, number>;

/** A body has so few strings of this length that recording them hardly takes any memory. */
const LONG_STRING_CHARACTERS = 10_000;

/** Returns whether JSON, valid or not, exceeds the limits. Records the ends of its long strings in `ends`. */
export function exceedsLimits(
  json: string,
  { maxValues, maxDepth = Number.POSITIVE_INFINITY }: JsonLimits,
  ends: StringEnds = new Map(),
): boolean {
  const mark = /[",[{\]}]/g;
  let [values, texts, depth] = [0, 0, 0];
  while (mark.test(json)) {
    const index = mark.lastIndex - 1;
    const character = json[index];
    if (character === '"') {
      const end = endOfString(json, index);
      if (end === -1) return false;
      if (end - index > LONG_STRING_CHARACTERS) ends.set(index, end);
      mark.lastIndex = end + 1;
      texts += 1;
    } else if (character === ']' || character === '}') {
      depth -= 1;
    } else {
      values += 1;
      if (character !== ',') depth += 1;
    }
    // Each value may have a name, which is also a string.
    if (values > maxValues || texts > 2 * (maxValues + 1) || depth > maxDepth) return true;
  }
  return false;
}

export interface JsonLimits {
  readonly maxValues: number;
  readonly maxDepth?: number;
}

/** Returns the index of the quotation mark that ends the string beginning at `start`, or -1 if the string never ends. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    if (end === -1) return -1;
    let escapes = end;
    while (json[escapes - 1] === '\\') escapes -= 1;
    if ((end - escapes) % 2 === 0) return end;
  }
}

/**
 * Returns whether an object of valid JSON has a member twice. Only members for which `counts` returns true are checked, down
 * to `maxDepth`. `JSON.parse` would silently keep the last one.
 */
export function hasMemberTwice(
  json: string,
  ends: StringEnds,
  maxDepth = Number.POSITIVE_INFINITY,
  counts: (depth: number, name: string) => boolean = () => true,
): boolean {
  const open: (Set<string> | undefined)[] = [];
  const mark = /["{}[\]]/g;
  while (mark.test(json)) {
    const start = mark.lastIndex - 1;
    const character = json[start];
    if (character === '{' || character === '[') open.push(undefined);
    else if (character !== '"') open.pop();
    if (character !== '"') continue;
    const end = (ends.get(start) ?? endOfString(json, start)) + 1;
    mark.lastIndex = end;
    const depth = open.length;
    if (depth > maxDepth || !isName(json, end)) continue;
    const name: string = JSON.parse(json.slice(start, end));
    if (!counts(depth, name)) continue;
    const names = open.at(-1) ?? new Set();
    if (names.has(name)) return true;
    open[depth - 1] = names.add(name);
  }
  return false;
}

/** Returns whether a colon follows the string. Only names are followed by one. */
function isName(json: string, index: number): boolean {
  let next = index;
  while (json.charCodeAt(next) <= SPACE) next += 1;
  return json[next] === ':';
}

const SPACE = 32;
