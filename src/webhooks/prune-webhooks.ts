import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches, deleteUntil } from '../db/delete-in-batches.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long deliveries are listed. */
const DELIVERY_RETENTION_MS = 14 * DAY_MS;

/** Deletes old deliveries, and webhooks that were removed a day ago. Returns the number of deleted deliveries. */
export async function pruneWebhooks(db: Db, now = Date.now(), batchSize?: number): Promise<number> {
  const until = now - DELIVERY_RETENTION_MS;
  const deleted = await deleteUntil(db, { table: 'webhook_deliveries', time: 'at', until, batchSize });
  const removed = await db
    .selectFrom('webhooks')
    .select(['account_id', 'id'])
    .where('removed_at', '<=', now - DAY_MS)
    .execute();
  for (const { account_id, id } of removed) await deleteWebhook(db, account_id, id, batchSize);
  return deleted;
}

async function deleteWebhook(db: Db, accountId: number, id: number, batchSize?: number): Promise<void> {
  const where = sql`account_id = ${accountId} and webhook_id = ${id}`;
  await deleteInBatches(db, { table: 'webhook_deliveries', key: ['id'], where, batchSize });
  await db
    .transaction()
    .execute((trx) => trx.deleteFrom('webhooks').where('account_id', '=', accountId).where('id', '=', id).execute());
}
