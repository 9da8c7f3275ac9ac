import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { AppError, notFound } from '../errors.ts';
import { raiseContentVersion } from './content-version.ts';
import { freeName } from './free-name.ts';
import { parentKey } from './positions.ts';
import { countChildren, freeAmong, shiftSiblings } from './siblings.ts';
import { below, measureSubtree } from './subtree.ts';
import { toUrlname } from './urlname.ts';

/** How many pages are copied at once. */
const MOST = 1000;

export interface DuplicatePageInput {
  id: number;
  withSubPages: boolean;
  /** The user to whom the copies are ascribed. */
  userId: number;
}

/**
 * Copies a page, or all from it down, to the place next after it, and returns the copy's id. Names are unique, so copies
 * have numbers in theirs. The copy is hidden: nobody wants a site with two of a page while one is being changed.
 * @throws AppError `not_found`, `too_large`
 */
export async function duplicatePage(trx: Trx, accountId: number, input: DuplicatePageInput): Promise<number> {
  const { id, withSubPages, userId } = input;
  const now = Date.now();
  const { version } = await raiseContentVersion(trx, accountId, now);
  const page = await trx
    .selectFrom('pages')
    .select(['name', parentKey.as('parent'), 'position'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  const { parent } = page;
  const rest = withSubPages ? await listBelow(trx, accountId, id) : [];

  const position = page.position + 1;
  const last = await countChildren(trx, accountId, parent);
  await shiftSiblings(trx, accountId, parent, { from: position, to: last, by: 1 });
  const copy = async (
    from: number,
    name: string,
    place: { parentId: number | null; position: number },
    top: boolean,
  ) => {
    const fresh = await freeName(trx, accountId, name);
    // Below the copy there is nobody yet to be told apart from.
    const urlname = top ? await freeAmong(trx, accountId, parent, toUrlname(fresh)) : undefined;
    const { rows } = await sql<{ id: number }>`
      insert into pages (account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date,
        created_at, created_by, updated_at, updated_by, version, description, body)
      select account_id, cast(${place.parentId} as bigint), ${fresh}, coalesce(${urlname ?? null}, urlname),
        cast(${place.position} as bigint), case when ${top ? 1 : 0} = 1 then 1 else is_hidden end, body_format, custom_date,
        cast(${now} as bigint), cast(${userId} as bigint), cast(${now} as bigint), cast(${userId} as bigint),
        cast(${version} as bigint), description, body
      from pages where account_id = ${accountId} and id = ${from}
      returning id`.execute(trx);
    return rows[0]!.id;
  };

  const copyId = await copy(id, page.name, { parentId: parent === 0 ? null : parent, position }, true);
  const copies = new Map([[id, copyId]]);
  for (const child of rest) {
    const parentId = copies.get(child.parentId)!;
    copies.set(child.id, await copy(child.id, child.name, { parentId, position: child.position }, false));
  }
  return copyId;
}

/** The pages below, parents before their children. */
async function listBelow(trx: Trx, accountId: number, id: number) {
  const { size } = await measureSubtree(trx, accountId, id);
  if (size > MOST) throw new AppError('too_large', `No more than ${MOST} pages can be copied at once.`);
  const { rows } = await sql<{ id: number; parentId: number; name: string; position: number }>`
    with recursive ${below(accountId, id)}
    select pages.id, pages.parent_id as "parentId", pages.name, pages.position
    from below join pages on pages.account_id = ${accountId} and pages.id = below.id
    where below.depth > 1 order by below.depth, pages.position`.execute(trx);
  return rows;
}
