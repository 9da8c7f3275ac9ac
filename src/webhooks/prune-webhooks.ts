import type { Db } from '../db/database.ts';
import { inBatches } from '../db/in-batches.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long deliveries are listed. */
export const DELIVERY_RETENTION_MS = 14 * DAY_MS;
/** How many deliveries one transaction examines. */
const BATCH_SIZE = 500;

/** Deletes old deliveries, and webhooks that were removed a day ago. Returns how many deliveries. */
export async function pruneWebhooks(db: Db, now = Date.now(), part = BATCH_SIZE): Promise<number> {
  const deleted = await inBatches(db, part, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('webhook_deliveries')
      // Ids grow with time, so no index on the time is needed.
      .where('id', 'in', (e) => e.selectFrom('webhook_deliveries').select('id').orderBy('id').limit(part))
      .where('at', '<=', now - DELIVERY_RETENTION_MS)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
  const removed = await db
    .selectFrom('webhooks')
    .select(['account_id', 'id'])
    .where('removed_at', '<=', now - DAY_MS)
    .execute();
  for (const { account_id, id } of removed) await deleteWebhook(db, account_id, id, part);
  return deleted;
}

async function deleteWebhook(db: Db, accountId: number, id: number, part: number): Promise<void> {
  await inBatches(db, part, async (trx) => {
    const its = trx
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('account_id', '=', accountId)
      .where('webhook_id', '=', id)
      .orderBy('id')
      .limit(part);
    const { numDeletedRows } = await trx
      .deleteFrom('webhook_deliveries')
      .where('account_id', '=', accountId)
      .where('id', 'in', its)
      .executeTakeFirstOrThrow();
    return Number(numDeletedRows);
  });
  await db
    .transaction()
    .execute((trx) => trx.deleteFrom('webhooks').where('account_id', '=', accountId).where('id', '=', id).execute());
}
