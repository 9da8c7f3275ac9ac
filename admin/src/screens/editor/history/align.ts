import { diffArrays } from 'diff';

/* Finds what two lists of words, lines or blocks have in common. */

/** Tokens that are equal on both sides, or that replace each other. */
export interface Run {
  readonly isSame: boolean;
  readonly left: readonly string[];
  readonly right: readonly string[];
}

/**
 * The most insertions and deletions of words to search for: the time grows with the square of their number. Texts that
 * differ more are shown as replaced.
 */
export const MAX_WORD_EDITS = 400;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** Splits a text into words and the characters between them. Uses Intl.Segmenter, because not all languages have spaces. */
export function wordsOf(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** True if half of the shorter text is in the other. Texts with less in common are easier to read as a whole. */
export function areSimilar(left: readonly string[], right: readonly string[]): boolean {
  const [before, after] = [left.filter(isWord), right.filter(isWord)];
  const counts = new Map<string, number>();
  for (const word of before) counts.set(word, (counts.get(word) ?? 0) + 1);
  const shared = after.filter((word) => {
    const count = counts.get(word) ?? 0;
    counts.set(word, count - 1);
    return count > 0;
  });
  return shared.length > 0 && lengthOf(shared) >= Math.min(lengthOf(before), lengthOf(after)) / 2;
}

const lengthOf = (words: readonly string[]) => words.reduce((sum, { length }) => sum + length, 0);

const isWord = (text: string) => /[\p{L}\p{N}]/u.test(text);

/** Merges white space between two changes into them: it would split one change into two marks. */
export function mergeSpacesBetweenChanges(runs: readonly Run[]): Run[] {
  const joined: Run[] = [];
  runs.forEach((run, index) => {
    const before = joined.at(-1);
    const isBetweenChanges =
      run.isSame && before && index < runs.length - 1 && run.left.every((word) => word.trim() === '');
    const isChanged = !run.isSame || isBetweenChanges;
    if (isChanged && before && !before.isSame) {
      const [left, right] = [before.left.concat(run.left), before.right.concat(run.right)];
      joined[joined.length - 1] = { isSame: false, left, right };
    } else joined.push(run);
  });
  return joined;
}

/** Aligns two lists of tokens. Equal and different runs alternate. */
export function align(left: readonly string[], right: readonly string[], maxEdits: number): Run[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  const longest = Math.min(left.length, right.length) - start;
  while (end < longest && left.at(-1 - end) === right.at(-1 - end)) end++;
  const middle = [left.slice(start, left.length - end), right.slice(start, right.length - end)] as const;
  const runs = [
    same(left.slice(0, start)),
    ...(runsOf(...middle, maxEdits) ?? [{ isSame: false, left: middle[0], right: middle[1] }]),
    same(left.slice(left.length - end)),
  ];
  return runs.filter((run) => run.left.length + run.right.length > 0);
}

/** Returns undefined if there are more changes than `maxEdits`. */
function runsOf(left: readonly string[], right: readonly string[], maxEdits: number): Run[] | undefined {
  const runs: Run[] = [];
  let changed: Run = { isSame: false, left: [], right: [] };
  const changes = diffArrays([...left], [...right], { maxEditLength: maxEdits });
  for (const { value, removed, added } of changes ?? []) {
    if (removed) changed = { ...changed, left: value };
    else if (added) changed = { ...changed, right: value };
    else {
      runs.push(changed, same(value));
      changed = { isSame: false, left: [], right: [] };
    }
  }
  return changes && [...runs, changed];
}

function same(tokens: readonly string[]): Run {
  return { isSame: true, left: tokens, right: tokens };
}
