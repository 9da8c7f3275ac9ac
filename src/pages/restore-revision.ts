import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { getRevision } from './revisions.ts';
import { type PageChange, updatePage } from './update-page.ts';

interface RestoreRevisionInput {
  /** The revision's id. */
  id: number;
  /** The version of the page that the user has seen; undefined to restore whatever the version. */
  basedOn: number | undefined;
  /** The most bytes that the account's pages may take up together. */
  quota: number;
}

/**
 * Publishes a revision again: its text, format and description, and its name if no other page has it now. The page's
 * URL, date and visibility stay. The replaced contents become a revision, too.
 * @throws AppError `not_found`; LimitReached; PageConflict
 */
export async function restoreRevision(
  trx: Trx,
  accountId: number,
  { id, basedOn, quota }: RestoreRevisionInput,
  by: UserActor,
): Promise<PageChange & { pageId: number }> {
  await raiseContentVersion(trx, accountId, Date.now());
  const { pageId, name, body, bodyFormat, description } = await getRevision(trx, accountId, id);
  const other = await trx
    .selectFrom('pages')
    .select('id')
    .where('account_id', '=', accountId)
    .where('name', '=', name)
    .where('id', '!=', pageId)
    .executeTakeFirst();
  const fields = { body, bodyFormat, description, ...(!other && { name }) };
  const event = { action: 'page.restored', details: { revision: id } };
  return { pageId, ...(await updatePage(trx, accountId, { id: pageId, basedOn, fields, quota, event }, by)) };
}
