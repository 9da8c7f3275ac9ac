import { sql } from 'kysely';
import type { UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { AppError, notFound } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { checkUnchanged } from './page-conflict.ts';
import { undoChange } from './undo-change.ts';
import { UNDO_RETENTION_MS } from './undos.ts';

interface UndoLastChangeInput {
  pageId: number;
  /** The version of the page that the client has seen; undefined to undo whatever the version. */
  basedOn: number | undefined;
  /** The most bytes that the account's pages may take up together. */
  quota: number;
}

/**
 * Undoes the last change of the page, or its deletion, no matter which user made it. Undos are skipped, so that repeated calls
 * undo one change after another, the latest first.
 * @throws AppError `not_found` if nothing can be undone; PageConflict; the errors of `undoChange`
 */
export async function undoLastChange(
  trx: Trx,
  accountId: number,
  { pageId, basedOn, quota }: UndoLastChangeInput,
  by: UserActor,
): Promise<void> {
  await lockAccount(trx, accountId);
  if (basedOn !== undefined) await checkVersion(trx, accountId, { pageId, basedOn });
  const last = await trx
    .selectFrom('undos')
    .select('id')
    .where('account_id', '=', accountId)
    .where('page_id', '=', pageId)
    .where('used_at', 'is', null)
    .where('is_undo', '=', sql.lit(0))
    .where('created_at', '>', Date.now() - UNDO_RETENTION_MS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!last) throw new AppError('not_found', 'The page does not exist, or has no change that can be undone.');
  await undoChange(trx, accountId, { id: last.id, quota }, by);
}

/**
 * Checks that the page has the version. A deleted page is not found, since it has no version that a client could have seen.
 */
async function checkVersion(
  trx: Trx,
  accountId: number,
  { pageId, basedOn }: { pageId: number; basedOn: number },
): Promise<void> {
  const page = await trx
    .selectFrom('pages')
    .select(['id', 'version'])
    .where('account_id', '=', accountId)
    .where('id', '=', pageId)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  await checkUnchanged(trx, accountId, page, basedOn);
}
