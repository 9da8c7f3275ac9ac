import { sql } from 'kysely';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { formatPageId } from './page.ts';
import { checkUnchanged } from './page-conflict.ts';
import { parentKey } from './positions.ts';
import { recordAddresses } from './redirects.ts';
import { queueForSearch } from './search-index.ts';
import { countChildren, shiftSiblings } from './siblings.ts';
import { measureSubtree, subtreeCte } from './subtree.ts';
import { recordUndo } from './undos.ts';

/** The columns of a page except its version, for copying pages between `pages` and `removed_pages`. */
export const pageColumns = sql.raw(
  `id, account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date,
   created_at, created_by, updated_at, updated_by, status, description, body`,
);

/**
 * Deletes a page with all pages below it. The returned id undoes this for 30 days, during which drafts, revisions and old
 * URLs are kept. `basedOn` is the version that the client has seen; undefined to delete the page whatever its version.
 * @throws AppError `not_found`; PageConflict if its contents have changed since `basedOn`; ChangeTooLong
 */
export async function deletePage(
  trx: Trx,
  accountId: number,
  id: number,
  by: UserActor,
  basedOn?: number,
): Promise<{ deleted: number; undo: number }> {
  const { version } = await raiseContentVersion(trx, accountId, Date.now());
  const page = await trx
    .selectFrom('pages')
    .select(['id', 'name', parentKey.as('parent'), 'position', 'version'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  await checkUnchanged(trx, accountId, page, basedOn);
  const { size } = await measureSubtree(trx, accountId, id);
  // The pages may be restored with other URLs: the present ones are kept as redirects.
  await recordAddresses(trx, accountId, { id, version });
  const undo = await recordUndo(
    trx,
    accountId,
    { userId: by.userId, version },
    { kind: 'delete', payload: { pageId: id, pages: size } },
  );
  await sql`
    insert into removed_pages (undo_id, version, ${pageColumns})
    with recursive ${subtreeCte(trx, accountId, id)}
    select cast(${undo} as bigint), version, ${pageColumns} from pages
    where account_id = ${accountId} and id in (select id from below)`.execute(trx);
  // One statement deletes all of them: a page must never be left without its parent.
  await trx
    .deleteFrom('pages')
    .where('account_id', '=', accountId)
    .where('id', 'in', (e) =>
      e.selectFrom('removed_pages').select('id').where('account_id', '=', accountId).where('undo_id', '=', undo),
    )
    .execute();
  await queueForSearch(trx, accountId, { version, ids: pagesOfUndo(accountId, undo) });
  const last = await countChildren(trx, accountId, page.parent);
  await shiftSiblings(trx, accountId, page.parent, { from: page.position + 1, to: last, by: -1 });
  const details = { name: page.name, pages: size };
  await recordAuditEvent(trx, accountId, by, { action: 'page.deleted', subject: formatPageId(id), details });
  return { deleted: size, undo };
}

/** Builds a query for the ids of the pages that one change deleted. */
export function pagesOfUndo(accountId: number, undo: number) {
  return sql`select id from removed_pages where account_id = ${accountId} and undo_id = ${undo}`;
}
