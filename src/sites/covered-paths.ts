import type { Trx } from '../db/database.ts';
import { findPageId } from './find-page.ts';

/** Returns which of the paths a published page has as its own, so that no redirect from them is followed. */
export async function findCoveredPaths(
  trx: Trx,
  accountId: number,
  paths: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = new Map<number, string>();
  for (const path of paths) {
    const id = await findPageId(trx, accountId, path.slice(1).split('/'));
    if (id !== undefined) ids.set(id, path);
  }
  if (ids.size === 0) return new Set();
  const published = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', 'in', [...ids.keys()])
    .where('status', '=', 'published')
    .execute();
  return new Set(published.map(({ id }) => ids.get(id)!));
}
