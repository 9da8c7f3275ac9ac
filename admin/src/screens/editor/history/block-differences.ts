import { diffArrays } from 'diff';
import { align, areSimilar, MAX_WORD_EDITS, mergeSpacesBetweenChanges, wordsOf } from './align.ts';

/* The differences between two texts: by block or line, and by word within similar blocks. */

/** A block of a text, such as a paragraph or a list, or a line of its source. */
export interface Block {
  /** Only blocks of one kind are compared with each other. */
  readonly kind: string;
  /** Equal for equal blocks. */
  readonly key: string;
  /** Words with their formatting, white space, and images. */
  readonly tokens: readonly string[];
}

/** Consecutive equal blocks, or a pair of different ones. */
type BlockDifference<B> =
  | { readonly isSame: true; readonly left: readonly B[]; readonly right: readonly B[] }
  /** A side is undefined if it has no counterpart to the other. */
  | { readonly isSame: false; readonly left: ChangedBlock<B> | undefined; readonly right: ChangedBlock<B> | undefined };

export interface ChangedBlock<B> {
  readonly block: B;
  /** True for each changed token. Undefined if the whole block is changed. */
  readonly changed: readonly boolean[] | undefined;
}

/** The most insertions and deletions of blocks to search for, and the most blocks in which to search for similar pairs. */
const MAX_BLOCK_EDITS = 1000;
const MAX_PAIRED = 100;

/** A line with its line end. Only lines that differ are split into words, which takes as long as everything else. */
class Line implements Block {
  readonly kind = 'line';
  readonly key: string;
  #tokens: readonly string[] | undefined;

  constructor(text: string) {
    this.key = text;
  }

  get tokens(): readonly string[] {
    this.#tokens ??= wordsOf(this.key);
    return this.#tokens;
  }
}

/** Returns the lines of a text. Normalizes line ends, so that these make no difference. */
export function lineBlocks(text: string): Block[] {
  return text.split(/\r\n|\r|\n/).map((line) => new Line(`${line}\n`));
}

/** Compares two texts. The result contains all blocks of both, in order. */
export function blockDifferences<B extends Block>(left: readonly B[], right: readonly B[]): BlockDifference<B>[] {
  let [l, r] = [0, 0];
  return align(
    left.map(({ key }) => key),
    right.map(({ key }) => key),
    MAX_BLOCK_EDITS,
  ).flatMap((run): BlockDifference<B>[] => {
    const [before, after] = [left.slice(l, l + run.left.length), right.slice(r, r + run.right.length)];
    [l, r] = [l + before.length, r + after.length];
    if (run.isSame) return [{ isSame: true, left: before, right: after }];
    return pairs(before, after).map(([one, other]) => difference(one, other));
  });
}

type Pair<B> = readonly [B | undefined, B | undefined];

/** Pairs each block with its changed version, and the remaining blocks in order. */
function pairs<B extends Block>(left: readonly B[], right: readonly B[]): Pair<B>[] {
  if (Math.max(left.length, right.length) > MAX_PAIRED) return zip(left, right);
  const found: Pair<B>[] = [];
  let [l, r, pairedL, pairedR] = [0, 0, 0, 0];
  const flush = () => {
    found.push(...zip(left.slice(pairedL, l), right.slice(pairedR, r)));
    [pairedL, pairedR] = [l, r];
  };
  for (const { count, removed, added } of diffArrays([...left], [...right], { comparator: areSimilarBlocks })) {
    if (removed) l += count;
    else if (added) r += count;
    else {
      flush();
      for (let index = 0; index < count; index++) found.push([left[l++], right[r++]]);
      [pairedL, pairedR] = [l, r];
    }
  }
  flush();
  return found;
}

function zip<B>(left: readonly B[], right: readonly B[]): Pair<B>[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [left[index], right[index]]);
}

function areSimilarBlocks(left: Block, right: Block): boolean {
  return left.kind === right.kind && areSimilar(left.tokens, right.tokens);
}

function difference<B extends Block>(left: B | undefined, right: B | undefined): BlockDifference<B> {
  if (!left || !right || !areSimilarBlocks(left, right)) {
    const whole = (block: B | undefined) => block && { block, changed: undefined };
    return { isSame: false, left: whole(left), right: whole(right) };
  }
  const runs = mergeSpacesBetweenChanges(align(left.tokens, right.tokens, MAX_WORD_EDITS));
  const changed = (side: 'left' | 'right') => runs.flatMap((run) => run[side].map(() => !run.isSame));
  return {
    isSame: false,
    left: { block: left, changed: changed('left') },
    right: { block: right, changed: changed('right') },
  };
}
