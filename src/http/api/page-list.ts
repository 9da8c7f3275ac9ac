import { setImmediate } from 'node:timers/promises';
import type { Db, Trx } from '../../db/database.ts';
import { type ListedPage, listOutline, listPagesById, listUserNames } from '../../pages/list-pages.ts';
import { computeTreeOrder, type Outline, type TreeOrder, upToDepth } from '../../pages/page-tree.ts';
import { findContentVersion } from '../../tenancy/content-version.ts';
import { recentSnapshot } from '../../tenancy/recent-snapshot.ts';
import { PAGE_END, pageStart, selectedFields } from './page-json.ts';
import { hasTexts, type PageSelection } from './page-selection.ts';

/** A list as JSON, with the data that the next list can reuse for unchanged pages. */
export interface PageList {
  readonly version: number;
  readonly bytes: Buffer;
  readonly reusable: Reusable;
}

/** The position of each page's text in the bytes of the list, with the page's version. */
interface Reusable {
  readonly places: ReadonlyMap<number, CachedSlice>;
  readonly userNames: string;
}

interface CachedSlice {
  version: number;
  url: string;
  position: number;
  isCut: boolean;
  start: number;
  end: number;
}

interface WantedList {
  readonly selection: PageSelection;
  readonly previous: PageList | undefined;
  readonly contentVersion: number;
}

/** Receives the parts of a list that is too large to hold in memory. */
export interface ListSink {
  write(part: Buffer): void;
  /** Resolves when more can be written. */
  drain(): Promise<void>;
}

/**
 * Lists larger than this are not held in memory. The size is that of the texts; in JSON a control character takes six bytes.
 */
export const MAX_BYTES_IN_MEMORY = 8 * 1024 * 1024;

/** The amount read from the database at once: enough to be fast, but not so much that other requests wait. */
export const BATCH_BYTES = 512 * 1024;
export const BATCH_PAGES = 200;

/**
 * Builds a list of an account's pages from one snapshot of the database that is at least as new as `contentVersion`. Pages
 * that have not changed since `previous`, a list of the same selection, are copied from it instead of being read and written
 * again. A list that is too large is written to `spill` in parts.
 */
export function buildPageList(
  db: Db,
  accountId: number,
  { selection, previous, contentVersion }: WantedList,
  spill: () => Promise<ListSink>,
): Promise<PageList | { version: number }> {
  return recentSnapshot(db, { accountId, contentVersion }, async (trx) => {
    const version = await findContentVersion(trx, accountId);
    const users = await listUserNames(trx, accountId);
    const outline = await listOutline(trx, accountId);
    const wholeOrder = await computeTreeOrder(outline);
    const order = selection.depth === undefined ? wholeOrder : upToDepth(wholeOrder, selection.depth);
    const fingerprint = JSON.stringify([...users]);
    const old = previous?.reusable.userNames === fingerprint ? previous : undefined;
    const source = { trx, accountId, users, outline, order, selection, hasTexts: hasTexts(selection), old };

    if (estimate(source) > MAX_BYTES_IN_MEMORY) {
      const sink = await spill();
      await writeList(
        source,
        (bytes) => sink.write(bytes),
        () => sink.drain(),
      );
      return { version };
    }
    const chunks: Buffer[] = [];
    const places = new Map<number, CachedSlice>();
    let size = 0;
    const write = (bytes: Buffer, page?: ListedPlace) => {
      chunks.push(bytes);
      if (page) {
        const { version, url, position, isCut } = page;
        places.set(page.id, { version, url, position, isCut, start: size, end: size + bytes.length });
      }
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
  outline: Outline;
  order: TreeOrder;
  selection: PageSelection;
  /** True if the list includes texts, which make up nearly all of its bytes. */
  hasTexts: boolean;
  old: PageList | undefined;
}

/** A page in the list, with its text if that can be copied from the previous list. */
interface ListedPlace {
  id: number;
  version: number;
  url: string;
  position: number;
  depth: number;
  /** True if the page's children are omitted. */
  isCut: boolean;
  cached: Buffer | undefined;
}

const HEAD = Buffer.from('{"pages":[');
const TAIL = Buffer.from(']}');
const COMMA = Buffer.from(',');

/** Writes the list in order. Calls with `page` write that page's text; calls without it write the punctuation in between. */
async function writeList(
  source: Source,
  write: (bytes: Buffer, page?: ListedPlace) => void,
  betweenBatches: () => Promise<void>,
): Promise<void> {
  const { users, order, selection } = source;
  const { depths } = order;
  write(HEAD);
  let count = 0;
  for (const batch of batches(source)) {
    if (count > 0) await betweenBatches();
    const missing = batch.filter(({ cached }) => !cached).map(({ id }) => id);
    const pages = missing.length > 0 ? await read(source, missing) : undefined;
    for (const place of batch) {
      const start = place.isCut ? selectedFields : pageStart;
      write(place.cached ?? Buffer.from(start(pages!.get(place.id)!, place, users, selection.fields)), place);
      count += 1;
      const end = closing(place.depth, depths[count]);
      // A page without children has no bracket to close.
      write(place.isCut ? end.subarray(1) : end);
    }
  }
  write(TAIL);
}

/** Lets the event loop handle other requests. */
function pause(): Promise<void> {
  return setImmediate();
}

/** Yields the pages in order, in batches that are small enough to be read at once. */
function* batches(source: Source): Generator<ListedPlace[]> {
  const { hasTexts } = source;
  const { sizes } = source.outline;
  const { indexes } = source.order;
  let batch: ListedPlace[] = [];
  let bytes = 0;
  let missing = 0;
  let count = 0;
  for (const place of places(source)) {
    batch.push(place);
    const size = hasTexts ? sizes[indexes[count]!]! : 0;
    count += 1;
    if (place.cached) continue;
    bytes += size;
    missing += 1;
    if (bytes < BATCH_BYTES && missing < BATCH_PAGES) continue;
    yield batch;
    batch = [];
    bytes = 0;
    missing = 0;
  }
  if (batch.length > 0) yield batch;
}

function* places({ outline, order, old }: Source): Generator<ListedPlace> {
  const { ids, urlnames, versions } = outline;
  const { indexes, depths, cut } = order;
  // The URL and position of the current page at each depth.
  const urls: string[] = [''];
  const positions: number[] = [];
  let depthBefore = 0;
  for (let count = 0; count < indexes.length; count++) {
    const index = indexes[count]!;
    const depth = depths[count]!;
    const id = ids[index]!;
    const version = versions[index]!;
    const position = depth > depthBefore ? 1 : positions[depth]! + 1;
    const url = `${urls[depth - 1]}/${urlnames[index]}`;
    urls[depth] = url;
    positions[depth] = position;
    depthBefore = depth;
    const isCut = cut?.[count] === 1;
    const place = old?.reusable.places.get(id);
    // A page's own version does not cover its ancestors' names, which are part of its URL, nor its siblings.
    const isUnchanged =
      place?.version === version && place.url === url && place.position === position && place.isCut === isCut;
    const cached = isUnchanged ? old!.bytes.subarray(place.start, place.end) : undefined;
    yield { id, version, url, position, depth, isCut, cached };
  }
}

async function read({ trx, accountId, hasTexts }: Source, ids: number[]): Promise<Map<number, ListedPage>> {
  const pages = await listPagesById(trx, accountId, ids, { withTexts: hasTexts });
  return new Map(pages.map((page) => [page.id, page]));
}

/** Returns the text between two pages: the end of the first page, and the ends of the ancestors that it completes. */
function closing(depth: number, nextDepth: number | undefined): Buffer {
  const levels = depth - (nextDepth ?? 1) + 1;
  // The next page is this page's first child.
  if (levels === 0) return NOTHING;
  return closings[levels - 1]![nextDepth === undefined ? 0 : 1]!;
}

const NOTHING = Buffer.alloc(0);
const closings = Array.from({ length: 64 }, (_, index) => {
  const ends = Buffer.from(PAGE_END.repeat(index + 1));
  return [ends, Buffer.concat([ends, COMMA])];
});

/** Returns an estimate of the list's size in bytes. Names and URLs are short compared to bodies. */
function estimate({ outline: { sizes }, order: { indexes }, hasTexts }: Source): number {
  let bytes = indexes.length * 700;
  if (hasTexts) for (const index of indexes) bytes += sizes[index]!;
  return bytes;
}
