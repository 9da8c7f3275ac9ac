import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import type { MediaName } from '../media/media-name.ts';
import { pagesById } from '../pages/pages-by-id.ts';

/** The picture of a page in lists of pages. */
export interface PagePicture extends Pick<MediaName, 'hash' | 'width' | 'height'> {
  alt: string;
}

/** How far into a page's text its picture may be. */
const MAX_CHARACTERS = 20_000;

/** How many images of a page are looked up: the first may be in the trash, or animated. */
const MAX_CANDIDATES = 5;

/**
 * Returns the first picture of each page that has one: an image of the account itself that is not animated. Reads only the
 * beginnings of published texts that show images.
 */
export async function findPictures(
  trx: Trx,
  accountId: number,
  ids: readonly number[],
): Promise<Map<number, PagePicture>> {
  const pictures = new Map<number, PagePicture>();
  if (ids.length === 0) return pictures;
  const { rows } = await sql<{ id: number; beginning: string }>`
    select pages.id, substr(pages.body, 1, ${sql.lit(MAX_CHARACTERS)}) as beginning
    from ${pagesById(trx, accountId, ids)}
    where exists (
      select 1 from page_images where account_id = ${accountId} and page_id = pages.id and draft_by = 0
    )`.execute(trx);
  const candidates = rows.map(({ id, beginning }) => ({ id, hashes: hashesIn(beginning) }));
  const stills = await findStills(trx, accountId, new Set(candidates.flatMap(({ hashes }) => hashes)));
  for (const { id, hashes } of candidates) {
    const first = hashes.find((hash) => stills.has(hash));
    if (first !== undefined) pictures.set(id, stills.get(first)!);
  }
  return pictures;
}

/** Returns the hashes of the first images of the text in order, without images that are commented out. */
function hashesIn(text: string): string[] {
  const found = text.matchAll(/\/media\/([0-9a-f]{32})-/g).take(MAX_CANDIDATES);
  return [...found]
    .filter(({ index }) => text.lastIndexOf('<!--', index) <= text.lastIndexOf('-->', index))
    .map(([, hash]) => hash!);
}

async function findStills(trx: Trx, accountId: number, hashes: ReadonlySet<string>): Promise<Map<string, PagePicture>> {
  if (hashes.size === 0) return new Map();
  const list = sql.val(JSON.stringify([...hashes]));
  const rows = await trx
    .selectFrom('media')
    .select(['hash', 'width', 'height', 'alt'])
    .where('account_id', '=', accountId)
    .where(inJsonList(trx, 'hash', list))
    .where('is_moving', '=', 0)
    .where('removed_at', 'is', null)
    .execute();
  return new Map(rows.map(({ hash, width, height, alt }) => [hash, { hash, width, height, alt: alt ?? '' }]));
}
