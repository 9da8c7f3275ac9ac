import type { Db } from '../db/database.ts';
import type { WebhookRow } from './webhook.ts';

/** Lists the account's webhooks, in the order in which they were added. */
export function listWebhooks(db: Db, accountId: number): Promise<WebhookRow[]> {
  return db
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute();
}
