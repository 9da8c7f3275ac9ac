import type { Trx } from '../db/database.ts';
import { pathsOf } from '../pages/subtree.ts';
import type { Site } from './site.ts';

/** Returns the page that the second button on the home page leads to; undefined if there is none that visitors may see. */
export async function findSecondButton(
  trx: Trx,
  { accountId, theme, secondButtonPageId: id }: Site,
): Promise<{ name: string; path: string } | undefined> {
  if (id === null || theme !== 'business') return undefined;
  const path = (await pathsOf(trx, accountId, [id], { onlyVisible: true })).get(id);
  if (path === undefined) return undefined;
  const { name } = await trx
    .selectFrom('pages')
    .select('name')
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { name, path };
}
