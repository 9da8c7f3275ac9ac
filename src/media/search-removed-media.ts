import { setImmediate } from 'node:timers/promises';
import type { Db } from '../db/database.ts';
import { partOf } from '../db/part-of.ts';
import { fold } from '../fold.ts';
import { listRemovedMedia, type RemovedMedia, type RemovedMediaCursor } from './list-removed-media.ts';

/** How many images are read before other work may run, and the most that are returned. */
const BATCH_SIZE = 500;
const MAX_HITS = 50;

/**
 * Returns the account's images in the trash with the text in their names or descriptions, the last removed first. Ignores
 * case and accents.
 */
export async function searchRemovedMedia(
  db: Db,
  accountId: number,
  text: string,
): Promise<{ media: RemovedMedia[]; hasMore: boolean }> {
  const wanted = fold(text.trim());
  const found: RemovedMedia[] = [];
  if (wanted === '') return { media: found, hasMore: false };
  for (let after: RemovedMediaCursor | undefined; ; ) {
    const { media, hasMore } = await listRemovedMedia(db, accountId, { after, limit: BATCH_SIZE });
    found.push(...media.filter(({ name, alt }) => fold(`${alt ?? ''}\n${name}`).includes(wanted)));
    if (found.length > MAX_HITS || !hasMore) break;
    after = media.at(-1)!;
    await setImmediate();
  }
  const { shown, hasMore } = partOf(found, MAX_HITS);
  return { media: shown, hasMore };
}
