import { MAX_DEPTH } from '../pages/page.ts';
import type { Line } from './format.ts';

/** More than the number of positions, so that a page and a position combine into one number. */
const POSITIONS = 2 ** 31 + 1;

/** Checks that pages form a tree, each after its parent, with unique names and addresses. */
export class TreeChecker {
  readonly #depths: Uint8Array;
  readonly #names = new Set<string>();
  readonly #addresses = new Set<string>();
  readonly #positions = new Set<number>();
  /** The number of children of each page, and their highest position. Page 0 stands for the root. */
  readonly #counts: Uint32Array;
  readonly #lastPositions: Uint32Array;

  constructor(pages: number) {
    this.#depths = new Uint8Array(pages + 1);
    this.#counts = new Uint32Array(pages + 1);
    this.#lastPositions = new Uint32Array(pages + 1);
  }

  /** Returns the failures of the next page. */
  check(line: Line, number: number): string[] {
    const parent = Number(line.parent ?? 0);
    if (parent >= number) return ['"parent" must be a page in an earlier line'];
    const failures: string[] = [];
    const depth = this.#depths[parent]! + 1;
    this.#depths[number] = depth;
    if (depth > MAX_DEPTH) failures.push(`it is deeper than ${MAX_DEPTH} levels`);
    if (!isNew(this.#names, String(line.name))) failures.push('"name" is the name of another page');
    if (!isNew(this.#addresses, `${parent} ${line.urlname}`))
      failures.push('"urlname" is the urlname of a sibling page');
    const position = Number(line.position);
    if (!isNew(this.#positions, parent * POSITIONS + position))
      failures.push('"position" is the position of a sibling page');
    this.#counts[parent]! += 1;
    this.#lastPositions[parent] = Math.max(this.#lastPositions[parent]!, position);
    return failures;
  }

  /** Yields the failures of the tree as a whole. */
  *finish(): Generator<string> {
    for (const [parent, count] of this.#counts.entries()) {
      if (this.#lastPositions[parent] === count) continue;
      const where = parent === 0 ? 'at the root' : `below page ${parent}`;
      yield `pages.jsonl: the positions of the pages ${where} must be 1 to ${count}`;
    }
  }
}

function isNew<T>(known: Set<T>, value: T): boolean {
  const before = known.size;
  return known.add(value).size > before;
}
