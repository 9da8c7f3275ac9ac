import { align, areAlike, joinLonelySpaces, MAX_WORDS, wordsOf } from './align.ts';

/* What differs between two texts: by lines, and within lines that are alike by words. */

/** Some lines of the texts. Where they are the same they end alike too: ends of lines are not compared. */
export type Difference =
  | { readonly isSame: true; readonly lines: readonly string[] }
  /** A side is undefined where it has nothing of it. */
  | { readonly isSame: false; readonly left: ChangedText | undefined; readonly right: ChangedText | undefined };

export interface ChangedText {
  readonly pieces: readonly Piece[];
  /** Nothing of it is on the other side. */
  readonly isWhole: boolean;
}

interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

/** How many insertions and deletions of lines are looked for. What differs in more is shown as replaced. */
const MAX_LINES = 1000;

/** In order; each line with an end. All of both texts is in it. */
export function differences(left: string, right: string): Difference[] {
  return align(linesOf(left), linesOf(right), MAX_LINES).flatMap((run): Difference[] => {
    if (run.isSame) return [{ isSame: true, lines: run.left }];
    // As many as before: most likely each is what became of the one beside it.
    if (run.left.length !== run.right.length) return [compareWords(run.left.join(''), run.right.join(''))];
    return run.left.map((line, index) => compareWords(line, run.right[index]!));
  });
}

function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => `${line}\n`);
}

function compareWords(left: string, right: string): Difference {
  const words = [wordsOf(left), wordsOf(right)] as const;
  if (!areAlike(...words)) return { isSame: false, left: whole(left), right: whole(right) };
  const runs = joinLonelySpaces(align(...words, MAX_WORDS));
  const side = (name: 'left' | 'right') => ({
    isWhole: false,
    pieces: runs.map((run) => ({ text: run[name].join(''), isChanged: !run.isSame })).filter(({ text }) => text !== ''),
  });
  return { isSame: false, left: side('left'), right: side('right') };
}

function whole(text: string): ChangedText | undefined {
  return text === '' ? undefined : { isWhole: true, pieces: [{ text, isChanged: true }] };
}
