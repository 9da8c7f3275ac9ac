import { setImmediate } from 'node:timers/promises';

/**
 * The shape of an account's tree, in columns with one entry a page. The children of one parent stand next to each other in the
 * order of their positions; root pages are the children of 0. A hundred thousand pages take a few megabytes, where an object
 * for each would take a hundred.
 */
export class Outline {
  readonly ids: number[] = [];
  readonly parents: number[] = [];
  readonly urlnames: string[] = [];
  /** The content versions at which the pages last changed. */
  readonly versions: number[] = [];
  /** The bytes of each page's body and description together. */
  readonly sizes: number[] = [];

  get length(): number {
    return this.ids.length;
  }
}

/** The order in which the list of pages has them: each page before its children. */
export interface TreeOrder {
  /** Indexes into the outline. */
  readonly indexes: Uint32Array;
  /** The depth of each page: 1 for a root page. */
  readonly depths: Uint8Array;
  /** 1 for pages whose children are left out; undefined if none are left out. */
  readonly cut?: Uint8Array;
}

/**
 * Returns the pages in tree order. Gives other work its turn in between, so that the largest tree does not block the
 * service.
 */
export async function computeTreeOrder({
  ids,
  parents,
  length,
}: Pick<Outline, 'ids' | 'parents' | 'length'>): Promise<TreeOrder> {
  /** The index in the outline at which each page's children begin. */
  const firstChild = new Map<number, number>();
  for (let index = 0; index < length; index++) {
    const parent = parents[index]!;
    if (index === 0 || parent !== parents[index - 1]) firstChild.set(parent, index);
    if (index % PAUSE_EVERY === PAUSE_EVERY - 1) await setImmediate();
  }
  const indexes = new Uint32Array(length);
  const depths = new Uint8Array(length);
  let count = 0;
  /** The next page to visit at each depth, down to the present depth. */
  const path: number[] = [];
  let next = firstChild.get(0);
  while (next !== undefined) {
    indexes[count] = next;
    depths[count] = path.length + 1;
    count += 1;
    if (count % PAUSE_EVERY === 0) await setImmediate();
    const child = firstChild.get(ids[next]!);
    if (child !== undefined) {
      path.push(next);
      next = child;
      continue;
    }
    // The next sibling or, after the last, an ancestor's next sibling.
    let done: number | undefined = next;
    next = undefined;
    while (done !== undefined && next === undefined) {
      if (done + 1 < length && parents[done + 1] === parents[done]) next = done + 1;
      else done = path.pop();
    }
  }
  // Pages that cannot be reached from a root page, which only a damaged tree has, are left out.
  return { indexes: indexes.subarray(0, count), depths: depths.subarray(0, count) };
}

/** Returns the order without the pages below `depth`. */
export function upToDepth({ indexes, depths }: TreeOrder, depth: number): TreeOrder {
  const places = depths.keys().filter((place) => depths[place]! <= depth);
  const included = Uint32Array.from(places);
  return {
    indexes: included.map((place) => indexes[place]!),
    depths: Uint8Array.from(included, (place) => depths[place]!),
    cut: Uint8Array.from(included, (place) => (depths[place] === depth && depths[place + 1] === depth + 1 ? 1 : 0)),
  };
}

const PAUSE_EVERY = 10_000;
