import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { movePage } from './move-page.ts';
import type { SomePageFields } from './page-fields.ts';
import { parentKey } from './positions.ts';
import { updatePage } from './update-page.ts';

interface ChangePageInput {
  id: number;
  /** The version that the client has seen; undefined for whatever there is. */
  basedOn: number | undefined;
  fields: SomePageFields;
  /** undefined leaves it as it is. */
  status: 'published' | 'unpublished' | undefined;
  /** null for the root; undefined leaves the page where it is. */
  parentId: number | null | undefined;
  /** Among its siblings, counted from 1; undefined leaves it, and puts it last below another parent. */
  position: number | undefined;
  /** Bytes that all of the account's pages may take up. */
  quota: number;
}

/**
 * Changes a page's fields and its place in one transaction, each with its own event and undo.
 * @throws as `updatePage` and `movePage` do
 */
export async function changePage(
  trx: Trx,
  accountId: number,
  { parentId, position, ...update }: ChangePageInput,
  by: UserActor,
): Promise<void> {
  const { status } = update;
  const event = status && { action: `page.${status}` };
  await updatePage(trx, accountId, { ...update, ...(event && { event }) }, by);
  if (parentId === undefined && position === undefined) return;
  const { id } = update;
  const page = await trx
    .selectFrom('pages')
    .select([parentKey.as('parent'), 'position'])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const parent = parentId === undefined ? page.parent : (parentId ?? 0);
  const place = position ?? (parent === page.parent ? page.position : undefined);
  await movePage(trx, accountId, { id, parentId: parent === 0 ? null : parent, position: place }, by);
}
