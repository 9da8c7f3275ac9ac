import { lastCommittedEventId } from '../audit/read-events.ts';
import { type Actor, recordAuditEvent } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { newSecret, parseWebhook, type WebhookRow, type WebhookSettings } from './webhook.ts';

/** The most webhooks of an account. More receivers than an account needs, and few enough to read at once. */
const MAX_WEBHOOKS = 100;

interface AddWebhookInput {
  url: string;
  /** The kinds of events that are sent; null for all. */
  kinds: readonly string[] | null;
}

/**
 * Adds a webhook, which receives the account's events from now on. The first event is its own creation. Returns the webhook
 * with its secret.
 * @throws ValidationError; AppError `conflict` if the account has the maximum number of webhooks
 */
export async function addWebhook(
  trx: Trx,
  accountId: number,
  input: AddWebhookInput,
  by: Actor,
  settings: WebhookSettings,
): Promise<WebhookRow> {
  const { url, kinds } = parseWebhook(input, settings);
  await lockAccount(trx, accountId);
  await checkWebhookCount(trx, accountId);
  const last = await lastCommittedEventId(trx, accountId);
  const now = Date.now();
  const webhook = await trx
    .insertInto('webhooks')
    .values({
      account_id: accountId,
      url,
      kinds,
      secret: newSecret(),
      created_at: now,
      last_event_id: last,
      due_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordWebhookEvent(trx, webhook, 'added', by);
  return webhook;
}

/**
 * Checks that the account may have another webhook. The transaction must have locked the account.
 * @throws AppError `conflict` if the account has the maximum number of webhooks
 */
export async function checkWebhookCount(trx: Trx, accountId: number): Promise<void> {
  const { count } = await trx
    .selectFrom('webhooks')
    .select((e) => e.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (count >= MAX_WEBHOOKS)
    throw new Refusal('conflict', { reason: 'too_many_webhooks', params: { max: MAX_WEBHOOKS } });
}

/**
 * Records a change of a webhook in the audit log. Logs and messages name only the host: the rest of the address may contain
 * keys.
 */
export function recordWebhookEvent(
  trx: Trx,
  { id, account_id, url }: Pick<WebhookRow, 'id' | 'account_id' | 'url'>,
  change: 'added' | 'changed' | 'removed' | 'restored' | 'paused' | 'resumed' | 'secret_changed' | 'resent',
  by: Actor,
): Promise<void> {
  const details = { name: new URL(url).host };
  return recordAuditEvent(trx, account_id, by, { action: `webhook.${change}`, subject: `webhook_${id}`, details });
}
