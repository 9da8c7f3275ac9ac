import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { MEDIA_PATH } from '../media/media-name.ts';

/*
 * The table `page_images` has the images that each page shows, to find the pages of an image. Each transaction that changes
 * a text replaces the text's rows. The rows of deleted pages stay until the pages are purged.
 */

/** How many images of a text are recorded. Each image is another entry of the index: 200 take 1.5 ms on SQLite. */
export const MAX_IMAGES = 200;

/** The beginning of an image's address, below `MEDIA_PATH`. */
const IMAGE = /\/media\/([0-9a-f]{32})-/g;

/** Returns the hashes of the first images that a text shows, at most `most`. */
export function imagesIn(text: string, most = MAX_IMAGES): string[] {
  if (!text.includes(MEDIA_PATH)) return [];
  const hashes = new Set<string>();
  for (const [, hash] of text.matchAll(IMAGE)) {
    hashes.add(hash!);
    if (hashes.size === most) break;
  }
  return [...hashes];
}

/** Identifies a text: a page's published text, or a user's draft of the page. */
interface TextKey {
  pageId: number;
  /** The user's id; 0 for the published text. */
  draftBy: number;
}

/** Replaces the recorded images of a changed text. */
export async function replaceImages(
  trx: Trx,
  accountId: number,
  { pageId, draftBy }: TextKey,
  hashes: readonly string[],
): Promise<void> {
  await trx
    .deleteFrom('page_images')
    .where('account_id', '=', accountId)
    .where('page_id', '=', pageId)
    .where('draft_by', '=', draftBy)
    .execute();
  await addImages(trx, accountId, { pageId, draftBy }, hashes);
}

/** Records the images of a new text. */
export async function addImages(
  trx: Trx,
  accountId: number,
  { pageId, draftBy }: TextKey,
  hashes: readonly string[],
): Promise<void> {
  if (hashes.length === 0) return;
  const list = dialectOf(trx) === 'sqlite' ? JSON.stringify(hashes) : hashes;
  await insert(trx, { accountId, pageId, draftBy, hashes: list });
}

/** The number of rows that one statement inserts. */
const BATCH_SIZE = 500;

/** Records the images of many new pages. */
export async function addImagesOfPages(
  trx: Trx,
  accountId: number,
  pages: ReadonlyArray<{ id: number; body: string }>,
): Promise<void> {
  const rows = pages.flatMap(({ id, body }) =>
    imagesIn(body).map((hash) => ({ account_id: accountId, page_id: id, draft_by: 0, hash })),
  );
  for (let start = 0; start < rows.length; start += BATCH_SIZE) {
    await trx
      .insertInto('page_images')
      .values(rows.slice(start, start + BATCH_SIZE))
      .execute();
  }
}

const insert = prepared<TextKey & { accountId: number; hashes: string | readonly string[] }, never>(
  (db, parameter) => ({
    compile: () =>
      sql<never>`
        insert into page_images (account_id, page_id, draft_by, hash)
        select cast(${parameter('accountId')} as bigint), cast(${parameter('pageId')} as bigint),
          cast(${parameter('draftBy')} as bigint), value
        from ${dialectOf(db) === 'sqlite' ? sql`json_each(${parameter('hashes')})` : sql`unnest(${parameter('hashes')}::text[]) as value`}`.compile(
        db,
      ),
  }),
);
