import { MAX_DEPTH } from '../pages/page.ts';
import type { Findings } from './findings.ts';

/** The pages of an account in columns, by ascending id. A hundred thousand pages take 2 MB. */
export interface Tree {
  accountId: number;
  ids: number[];
  /** 0 for pages at the root. */
  parents: number[];
  positions: number[];
}

export function emptyTree(accountId: number): Tree {
  return { accountId, ids: [], parents: [], positions: [] };
}

export function nameOfPage(id: number, accountId: number): string {
  return `page_${id} of account_${accountId}`;
}

/** Checks that every parent exists, no page is below itself, and siblings are at positions 1..n. */
export function checkTree(tree: Tree, findings: Findings): void {
  checkDepths(tree, findings);
  checkPositions(tree, findings);
}

/** Marks of pages without a depth: not visited yet, on the path being followed to the root, and in or below a circle. */
const [UNKNOWN, FOLLOWED, CIRCULAR] = [0, -1, -2];

function checkDepths({ accountId, ids, parents }: Tree, findings: Findings): void {
  const report = (index: number, mistake: string) =>
    findings.add('trees', `${nameOfPage(ids[index]!, accountId)}: ${mistake}`);
  const depths = new Int32Array(ids.length);
  for (let index = 0; index < ids.length; index++) {
    const path: number[] = [];
    let next = index;
    while (next >= 0 && depths[next] === UNKNOWN) {
      depths[next] = FOLLOWED;
      path.push(next);
      const parent = parents[next]!;
      const found = parent === 0 ? -1 : indexOf(ids, parent);
      if (parent !== 0 && found < 0) report(next, `its parent page_${parent} is not a page of the account.`);
      next = found;
    }
    let depth = next < 0 ? 0 : depths[next] === FOLLOWED ? CIRCULAR : depths[next]!;
    for (const step of path.toReversed()) {
      if (depth !== CIRCULAR) depth++;
      depths[step] = depth;
      if (depth === CIRCULAR) report(step, 'its parents form a cycle.');
      if (depth > MAX_DEPTH) report(step, `it is ${depth} levels deep, but at most ${MAX_DEPTH} are allowed.`);
    }
  }
}

/** Returns the index of an id in an ascending list, or -1. A Map would take several times the memory of the tree. */
function indexOf(ids: readonly number[], id: number): number {
  let [low, high] = [0, ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    if (ids[middle] === id) return middle;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

function checkPositions({ accountId, parents, positions }: Tree, findings: Findings): void {
  const order = Uint32Array.from(parents.keys()).sort(
    (a, b) => parents[a]! - parents[b]! || positions[a]! - positions[b]!,
  );
  for (let start = 0, end = 0; start < order.length; start = end) {
    const parent = parents[order[start]!]!;
    let isRight = true;
    for (end = start; end < order.length && parents[order[end]!] === parent; end++) {
      isRight &&= positions[order[end]!] === end - start + 1;
    }
    if (isRight) continue;
    const where = parent === 0 ? 'at the root' : `under page_${parent}`;
    const first = Array.from(order.subarray(start, Math.min(end, start + 20)), (index) => positions[index]);
    const shown = end - start <= 20 ? first.join(', ') : `${first.join(', ')}, …`;
    findings.add(
      'positions',
      `account_${accountId}: its pages ${where} should have the positions 1 to ${end - start}, but have ${shown}.`,
    );
  }
}
