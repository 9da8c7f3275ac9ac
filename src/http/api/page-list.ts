import type { Db, Trx } from '../../db/database.ts';
import { contentVersion, getPages, type ListedPage, listOutline, snapshot, userNames } from '../../pages/list-pages.ts';
import { type TreeNode, treeInOrder } from '../../pages/page-tree.ts';
import { PAGE_END, pageStart } from './page-json.ts';

/** The whole list as JSON, and what it takes to make the next one without reading again what has not changed. */
export interface PageList {
  readonly version: number;
  readonly bytes: Buffer;
  readonly reusable: Reusable;
}

/** Where each page's own text stands in the bytes of a list, and the state of the page it shows. */
interface Reusable {
  readonly places: ReadonlyMap<number, { version: number; url: string; start: number; end: number }>;
  readonly userNames: string;
}

/** Where the parts of a list go that is not held in memory. */
export interface ListSink {
  write(part: Buffer): void;
  /** Resolves when there is room for more. */
  drain(): Promise<void>;
}

/** Lists larger than this are not held in memory. In bytes. */
export const LARGEST_IN_MEMORY = 8 * 1024 * 1024;

/** How much is read from the database at once: enough to be quick, little enough to hold nobody up. */
const BATCH_BYTES = 512 * 1024;
const BATCH_PAGES = 200;

/**
 * Makes an account's list of pages from one snapshot of the database. Pages that have not changed since `previous` are
 * copied from it instead of being read and written out again. A list that is too large goes to `spill` part by part.
 */
export function buildPageList(
  db: Db,
  accountId: number,
  previous: PageList | undefined,
  spill: () => Promise<ListSink>,
): Promise<PageList | { version: number }> {
  return snapshot(db, async (trx) => {
    const version = await contentVersion(trx, accountId);
    const users = await userNames(trx, accountId);
    const order = await treeInOrder(await listOutline(trx, accountId));
    const fingerprint = JSON.stringify([...users]);
    const old = previous?.reusable.userNames === fingerprint ? previous : undefined;
    const source = { trx, accountId, users, order, old };

    if (estimate(order) > LARGEST_IN_MEMORY) {
      const sink = await spill();
      await writeList(
        source,
        (bytes) => sink.write(bytes),
        () => sink.drain(),
      );
      return { version };
    }
    const chunks: Buffer[] = [];
    const places = new Map<number, { version: number; url: string; start: number; end: number }>();
    let size = 0;
    const write = (bytes: Buffer, node?: TreeNode) => {
      chunks.push(bytes);
      if (node) places.set(node.id, { version: node.version, url: node.url, start: size, end: size + bytes.length });
      size += bytes.length;
    };
    await writeList(source, write, pause);
    return { version, bytes: Buffer.concat(chunks, size), reusable: { places, userNames: fingerprint } };
  });
}

interface Source {
  trx: Trx;
  accountId: number;
  users: ReadonlyMap<number, string>;
  order: readonly TreeNode[];
  old: PageList | undefined;
}

const HEAD = Buffer.from('{"pages":[');
const TAIL = Buffer.from(']}');
const COMMA = Buffer.from(',');

/** Writes the list in its order: with `node`, the text of that page; without, the punctuation in between. */
async function writeList(
  source: Source,
  write: (bytes: Buffer, node?: TreeNode) => void,
  betweenBatches: () => Promise<void>,
): Promise<void> {
  const { order, users } = source;
  write(HEAD);
  let index = 0;
  for (const batch of batches(source)) {
    if (index > 0) await betweenBatches();
    const missing = batch.filter(({ kept }) => !kept).map(({ node }) => node.id);
    const pages = missing.length > 0 ? await read(source, missing) : undefined;
    for (const { node, kept } of batch) {
      write(kept ?? Buffer.from(pageStart(pages!.get(node.id)!, node, users)), node);
      index += 1;
      write(closing(node, order[index]));
    }
  }
  write(TAIL);
}

/** Lets the event loop see to everyone else. */
function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Pages in order, as many at a time as may be read at once, with the text of those that can be copied. */
function* batches({ order, old }: Source): Generator<Array<{ node: TreeNode; kept: Buffer | undefined }>> {
  let batch: Array<{ node: TreeNode; kept: Buffer | undefined }> = [];
  let bytes = 0;
  let missing = 0;
  for (const node of order) {
    const place = old?.reusable.places.get(node.id);
    // A page's own row says nothing of its ancestors' names, which are in its url.
    const kept =
      place && place.version === node.version && place.url === node.url
        ? old!.bytes.subarray(place.start, place.end)
        : undefined;
    batch.push({ node, kept });
    if (kept) continue;
    bytes += node.bytes;
    missing += 1;
    if (bytes < BATCH_BYTES && missing < BATCH_PAGES) continue;
    yield batch;
    batch = [];
    bytes = 0;
    missing = 0;
  }
  if (batch.length > 0) yield batch;
}

async function read({ trx, accountId }: Source, ids: number[]): Promise<Map<number, ListedPage>> {
  const pages = await getPages(trx, accountId, ids);
  return new Map(pages.map((page) => [page.id, page]));
}

/** What stands between a page's own text and the next page's: its end, and the ends of ancestors it was the last of. */
function closing(node: TreeNode, next: TreeNode | undefined): Buffer {
  const levels = node.depth - (next?.depth ?? 1) + 1;
  // The next page is its first child.
  if (levels === 0) return NOTHING;
  return closings[levels - 1]![next ? 1 : 0]!;
}

const NOTHING = Buffer.alloc(0);
const closings = Array.from({ length: 64 }, (_, index) => {
  const ends = Buffer.from(PAGE_END.repeat(index + 1));
  return [ends, Buffer.concat([ends, COMMA])];
});

function estimate(order: readonly TreeNode[]): number {
  let size = 0;
  for (const { bytes, url } of order) size += bytes + url.length + 500;
  return size;
}
