import type { Db } from '../db/database.ts';

/** The webhooks with ids above `after`, up to and including `until`. */
export interface WebhookRange {
  readonly after: number;
  readonly until: number;
}

export const allWebhooks: WebhookRange = { after: 0, until: Number.MAX_SAFE_INTEGER };

/** Returns the range of `size` webhooks after a range. The first range follows the last one. */
export async function getNextRange(db: Db, { until }: WebhookRange, size: number): Promise<WebhookRange> {
  const after = until === allWebhooks.until ? allWebhooks.after : until;
  const webhooks = db.selectFrom('webhooks').select('id').where('id', '>', after).orderBy('id');
  const last = await webhooks
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
  return { after, until: last?.id ?? allWebhooks.until };
}
