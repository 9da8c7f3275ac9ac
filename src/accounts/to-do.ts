import type { Trx } from '../db/database.ts';
import { parentKey, usesPositionIndex } from '../pages/positions.ts';
import { findHomePage } from '../sites/navigation.ts';

/** A task by which the owner personalizes a new site. */
type ToDo = 'name' | 'text' | 'look' | 'address';

/** The last position at which default pages are looked for: they are the first pages of an account. */
const MAX_POSITION = 24;

/** The look of a new site: the defaults of the database columns. */
const defaultLook = { theme: 'typographic', accent: '#1f5fbf' };

/**
 * Returns the open tasks, and the page to begin with. There are none once no default page is left. Every account has a name
 * from the start, and only its owner knows whether it is right, so `name` stays in the list.
 */
export async function listToDos(trx: Trx, accountId: number): Promise<{ left: ToDo[]; firstPageId: number | null }> {
  const page = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where(parentKey, '=', 0)
    .where(usesPositionIndex)
    .where('position', '<=', MAX_POSITION)
    .where('status', '=', 'default')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();
  if (!page) return { left: [], firstPageId: null };

  const { theme, accent } = await trx
    .selectFrom('accounts')
    .select(['theme', 'accent'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const domain = await trx
    .selectFrom('domains')
    .select('id')
    .where('account_id', '=', accountId)
    .limit(1)
    .executeTakeFirst();
  const left: ToDo[] = ['name'];
  if (!(await findHomePage(trx, accountId))) left.push('text');
  if (theme === defaultLook.theme && accent === defaultLook.accent) left.push('look');
  if (!domain) left.push('address');
  return { left, firstPageId: page.id };
}
