import type { Selectable } from 'kysely';
import { eventJson } from '../audit/event-json.ts';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { preparedInsertMany } from '../db/prepared-rows.ts';
import type { WebhookDeliveriesTable } from '../db/schema.ts';
import type { Attempt } from './send.ts';
import { getWebhook, type WebhookRow } from './webhook.ts';

/** An attempt to send an event. */
export interface Delivery extends Attempt {
  /** 0 for a test message, which is not an event. */
  readonly eventId: number;
}

export async function recordDeliveries(
  trx: Trx,
  { account_id, id: webhook_id }: Pick<WebhookRow, 'account_id' | 'id'>,
  deliveries: readonly Delivery[],
): Promise<void> {
  const rows = deliveries.map(({ eventId: event_id, at, duration, status, error, response }) => {
    return { account_id, webhook_id, event_id, at, duration, status, error, response };
  });
  await insert(trx, rows);
}

const insert = preparedInsertMany('webhook_deliveries', {
  account_id: 'bigint',
  webhook_id: 'bigint',
  event_id: 'bigint',
  at: 'bigint',
  duration: 'bigint',
  status: 'bigint',
  error: 'text',
  response: 'text',
});

/** A delivery as the list shows it. */
export interface ListedDelivery extends Selectable<WebhookDeliveriesTable> {
  /** The body that was sent; null for a test, and for an event that has been pruned. */
  readonly request: ReturnType<typeof eventJson> | null;
}

interface ListInput {
  readonly webhookId: number;
  readonly limit: number;
  /** Only deliveries before this id. */
  readonly before?: number | undefined;
}

/** Lists the last deliveries of a webhook, the latest first. @throws AppError `not_found` */
export async function listDeliveries(
  db: Db | Trx,
  accountId: number,
  { webhookId, limit, before }: ListInput,
): Promise<ListedDelivery[]> {
  await getWebhook(db, accountId, webhookId);
  const rows = await db
    .selectFrom('webhook_deliveries as its')
    .leftJoin('audit_log', (join) =>
      join.onRef('audit_log.account_id', '=', 'its.account_id').onRef('audit_log.id', '=', 'its.event_id'),
    )
    .selectAll('its')
    .select(['action as type', 'audit_log.at as happenedAt', 'actor', 'subject', 'details'])
    .where('its.account_id', '=', accountId)
    .where('its.webhook_id', '=', webhookId)
    .$if(before !== undefined, (query) => query.where('its.id', '<', before!))
    .orderBy('its.account_id', 'desc')
    .orderBy('its.webhook_id', 'desc')
    .orderBy('its.id', 'desc')
    .limit(limitInIndexOrder(limit))
    .execute();
  return rows.map(({ type, happenedAt, actor, subject, details, ...delivery }) => {
    if (type === null) return { ...delivery, request: null };
    const event = { id: delivery.event_id, type, at: happenedAt!, actor: actor!, subject: subject! };
    return { ...delivery, request: eventJson(accountId, { ...event, details: JSON.parse(details!) }) };
  });
}
