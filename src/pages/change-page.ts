import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { movePage } from './move-page.ts';
import type { SomePageFields } from './page-fields.ts';
import { parentKey } from './positions.ts';
import { updatePage } from './update-page.ts';

interface ChangePageInput {
  id: number;
  /** The version that the client has seen; undefined to change the page whatever its version. */
  basedOn: number | undefined;
  fields: SomePageFields;
  /** undefined keeps the status. */
  status: 'published' | 'unpublished' | undefined;
  /** null for the root; undefined keeps the parent. */
  parentId: number | null | undefined;
  /** The position among its siblings, from 1; undefined keeps the position, or means the last one if the parent changes. */
  position: number | undefined;
  /** The most bytes that the account's pages may take up together. */
  quota: number;
}

/**
 * Changes a page's fields and its place in one transaction. Both changes have their own audit event and undo.
 * @throws the errors of `updatePage` and `movePage`
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
