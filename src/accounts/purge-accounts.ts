import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { deleteInBatches, type RowsToDelete } from '../db/delete-in-batches.ts';
import { inBatches } from '../db/in-batches.ts';
import { MAX_DELETED_BYTES } from '../db/keys-to-delete.ts';
import { limitToBytes } from '../db/limit-to-bytes.ts';
import type { Schema } from '../db/schema.ts';
import { keysOf } from '../media/media.ts';
import { bytesIn } from '../pages/page-bytes.ts';
import { purgeSearchWords } from '../pages/search-index.ts';
import { lockAccountAndKeys } from './delete-account.ts';

/**
 * The tables that are emptied in batches, with the columns that identify a row. Each table comes before the tables that it
 * refers to. Pages come last.
 */
const largeTables: ReadonlyArray<Omit<RowsToDelete, 'where'>> = [
  { table: 'idempotency', key: ['account_id', 'api_key_id', 'key'] },
  { table: 'drafts', key: ['account_id', 'page_id', 'user_id'], bytes: bytesIn.drafts },
  { table: 'page_images', key: ['account_id', 'page_id', 'draft_by', 'hash'] },
  { table: 'revisions', key: ['id'], bytes: bytesIn.revisions },
  { table: 'redirects', key: ['id'] },
  { table: 'template_pages', key: ['account_id', 'page_id'] },
  { table: 'removed_pages', key: ['id'], bytes: bytesIn.removed_pages },
  { table: 'undos', key: ['id'] },
  { table: 'audit_log', key: ['id'] },
  { table: 'customer_import_parts', key: ['account_id', 'import_id', 'part'] },
  { table: 'webhook_deliveries', key: ['id'] },
  { table: 'search_queue', key: ['account_id', 'page_id'] },
  { table: 'search_vocabulary', key: ['account_id', 'word'] },
];

/**
 * All tables with rows of one account, each before the tables that it refers to. Plans and the ledger stay, since they
 * document revenue.
 */
const tablesOfAccount: readonly (keyof Schema)[] = [
  ...(['idempotency', 'api_keys', 'drafts', 'revisions', 'redirects', 'removed_pages', 'undos', 'pages'] as const),
  ...([
    'page_images',
    'media',
    'domains',
    'brands',
    'template_pages',
    'template_sites',
    'template_push_sites',
    'template_pushes',
    'templates',
    'brand_images',
    'mail_words',
    'webhook_deliveries',
    'webhooks',
    'outbox',
    'sessions',
    'impersonations',
    'agency_access',
    'account_archives',
    'one_time_links',
    'oauth_codes',
    'second_factors',
    'recovery_codes',
  ] as const),
  ...(['passkeys', 'passkey_challenges', 'removals', 'audit_log'] as const),
  ...(['search_accounts', 'search_queue', 'search_pages', 'search_vocabulary'] as const),
  ...(['customer_import_parts', 'customer_imports'] as const),
  'users',
];

/** How many rows with texts, or images with files, one transaction deletes. */
const BATCH_SIZE = 100;

/** Deletes files from the store of images, by their keys. */
type RemoveFiles = (keys: readonly string[]) => Promise<void>;

/** Deletes the remaining rows of deleted accounts whose purge was interrupted. Returns how many accounts it purged. */
export async function purgeDeletedAccounts(db: Db, removeFiles: RemoveFiles): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select id from accounts where deleted_at is not null
      and exists (select 1 from users where users.account_id = accounts.id)`.execute(db);
  for (const { id } of rows) await purgeAccount(db, id, removeFiles);
  return rows.length;
}

/**
 * Deletes all remaining data of an account that `deleteAccount` has deleted. Uses a transaction per batch, so that other
 * transactions need not wait for all of it. The users are deleted in the last transaction: as long as they exist, the purge
 * is unfinished. It can be run again after a crash, and by several processes at once.
 * @throws the error of `removeFiles`, once the rows are deleted. The files that remain belong to no account, and `doctor`
 * reports them.
 */
export async function purgeAccount(db: Db, accountId: number, removeFiles: RemoveFiles): Promise<void> {
  const where = sql`account_id = ${accountId}`;
  for (const rows of largeTables) await deleteInBatches(db, { ...rows, where, batchSize: BATCH_SIZE });
  await deleteSearchPages(db, accountId);
  await deletePages(db, accountId);
  const failure = await deleteMedia(db, accountId, removeFiles);
  await db.transaction().execute((trx) => deleteRest(trx, accountId));
  if (failure) throw failure.error;
}

async function deleteSearchPages(db: Db, accountId: number): Promise<void> {
  await inBatches(db, BATCH_SIZE, async (trx) => {
    const pages = await trx
      .selectFrom('search_pages')
      .select('page_id as id')
      .where('account_id', '=', accountId)
      .orderBy('page_id')
      .limit(BATCH_SIZE)
      .execute();
    const ids = pages.map(({ id }) => id);
    if (ids.length === 0) return 0;
    await purgeSearchWords(trx, ids);
    await trx.deleteFrom('search_pages').where('account_id', '=', accountId).where('page_id', 'in', ids).execute();
    return ids.length;
  });
}

/**
 * Deletes pages without children, the newest first, until no page is left: parents were mostly created before their
 * children.
 */
async function deletePages(db: Db, accountId: number): Promise<void> {
  for (let isLeft = true; isLeft; ) {
    isLeft = false;
    for (let before = Number.MAX_SAFE_INTEGER; before > 0; ) {
      const { last, hasRemaining } = await db.transaction().execute((trx) => deleteLeaves(trx, accountId, before));
      isLeft ||= hasRemaining;
      before = last;
    }
  }
}

/**
 * Deletes the pages without children among the next pages by descending id. Returns the last id that it looked at, or 0 if
 * there were none, and whether any of these pages remain.
 */
async function deleteLeaves(
  trx: Trx,
  accountId: number,
  before: number,
): Promise<{ last: number; hasRemaining: boolean }> {
  const next = await trx
    .selectFrom('pages')
    .select(['id', bytesIn.pages.as('bytes')])
    .where('account_id', '=', accountId)
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .limit(BATCH_SIZE)
    .execute();
  const pages = limitToBytes(next, MAX_DELETED_BYTES);
  if (pages.length === 0) return { last: 0, hasRemaining: false };
  const ids = pages.map(({ id }) => id);
  const { numAffectedRows } = await sql`
    delete from pages where account_id = ${accountId} and id in (${sql.join(ids)}) and not exists (
      select 1 from pages as children where children.account_id = ${accountId} and children.parent_id = pages.id
    )`.execute(trx);
  return { last: ids.at(-1)!, hasRemaining: Number(numAffectedRows) < ids.length };
}

/**
 * Deletes the account's images and their files. Returns the error if files could not be removed. After the first failure it
 * removes no more files, since each attempt may take half a minute.
 */
async function deleteMedia(
  db: Db,
  accountId: number,
  removeFiles: RemoveFiles,
): Promise<{ error: unknown } | undefined> {
  let failure: { error: unknown } | undefined;
  for (;;) {
    const images = await db.transaction().execute(async (trx) => {
      const images = await trx
        .selectFrom('media')
        .select(['id', 'folder', 'files'])
        .where('account_id', '=', accountId)
        .limit(BATCH_SIZE)
        .execute();
      const ids = images.map(({ id }) => id);
      if (ids.length > 0) {
        await trx.deleteFrom('media').where('account_id', '=', accountId).where('id', 'in', ids).execute();
      }
      return images;
    });
    if (!failure) {
      await removeFiles(images.flatMap(keysOf)).catch((error: unknown) => {
        failure = { error };
      });
    }
    if (images.length < BATCH_SIZE) return failure;
  }
}

/** Deletes the remaining rows, including those that transactions from before the deletion have added since. */
async function deleteRest(trx: Trx, accountId: number): Promise<void> {
  await lockAccountAndKeys(trx, accountId);
  for (const table of tablesOfAccount) {
    await sql`delete from ${sql.table(table)} where account_id = ${accountId}`.execute(trx);
  }
  await trx.updateTable('accounts').set({ page_bytes: 0 }).where('id', '=', accountId).execute();
}
