import type { Trx } from '../db/database.ts';
import { parentKey, usesPositionIndex } from '../pages/positions.ts';
import type { MainMenu } from './navigation.ts';

/** The highest position at which a default page may be: they are the first pages of an account. */
const MAX_POSITION = 24;

/**
 * Returns the main menu as it would be if the default pages were published; the given menu if any page is. Used for
 * previews of a look, for which an empty menu is no help.
 */
export async function withDefaultPages(trx: Trx, accountId: number, menu: MainMenu): Promise<MainMenu> {
  if (menu.home !== undefined) return menu;
  const pages = await trx
    .selectFrom('pages')
    .select(['id', 'name', 'urlname'])
    .where('account_id', '=', accountId)
    .where(parentKey, '=', 0)
    .where(usesPositionIndex)
    .where('position', '<=', MAX_POSITION)
    .where('is_hidden', '=', 0)
    .where('status', '=', 'default')
    .orderBy('position')
    .execute();
  const roots = pages.map(({ id, name, urlname }, index) => {
    const path = index === 0 ? '/' : `/${urlname}`;
    return { id, name, path, children: [], hasMore: false };
  });
  return { ...menu, roots, home: pages[0]?.urlname };
}
