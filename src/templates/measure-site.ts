import type { Db } from '../db/database.ts';
import { countImageBytesToCopy } from '../media/copy-images.ts';
import { countPagesToCopy } from '../pages/list-pages-to-copy.ts';

/**
 * Returns how many pages a copy of the site has, and how many bytes its texts and images take up; undefined if the site is too
 * large to be copied.
 */
export async function measureSite(db: Db, siteId: number): Promise<{ pages: number; bytes: number } | undefined> {
  const { pages, bytes, isTooLarge } = await countPagesToCopy(db, siteId);
  return isTooLarge ? undefined : { pages, bytes: bytes + (await countImageBytesToCopy(db, siteId)) };
}
