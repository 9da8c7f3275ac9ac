import { lastCommittedEventId } from '../audit/read-events.ts';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound, ValidationError } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { checkWebhookCount, recordWebhookEvent } from './add-webhook.ts';
import { getWebhook, newSecret, parseWebhook, voidClaim, type WebhookRow, type WebhookSettings } from './webhook.ts';

const MINUTE_MS = 60_000;
/** How long a removal can be undone. */
const RESTORE_PERIOD_MS = 10 * MINUTE_MS;
/** How long messages are also signed with the previous secret. */
const OLD_SECRET_PERIOD_MS = 24 * 60 * MINUTE_MS;

interface WebhookChange {
  readonly id: number;
  /** Undefined fields stay unchanged. */
  readonly url?: string | undefined;
  /** The kinds of events that are sent; null for all. */
  readonly kinds?: readonly string[] | null | undefined;
}

/**
 * Changes the address or the kinds of events from now on. Waiting events go to the new address at once. Returns the changed
 * webhook.
 * @throws ValidationError; AppError `not_found`
 */
export async function changeWebhook(
  trx: Trx,
  accountId: number,
  { id, url, kinds }: WebhookChange,
  by: Actor,
  settings: WebhookSettings,
): Promise<WebhookRow> {
  const parsed = parseWebhook({ url, kinds }, settings);
  const changes = {
    ...(parsed.url !== undefined && { url: parsed.url }),
    ...(parsed.kinds !== undefined && { kinds: parsed.kinds }),
  };
  await lockAccount(trx, accountId);
  const webhook = await getWebhook(trx, accountId, id);
  const isMoved = changes.url !== undefined && changes.url !== webhook.url;
  const isChanged = isMoved || (changes.kinds !== undefined && changes.kinds !== webhook.kinds);
  if (!isChanged) return webhook;
  await update(trx, webhook, { ...changes, ...(isMoved && unfailed), ...dueAfterClaim(webhook) });
  const changed = await getWebhook(trx, accountId, id);
  await recordWebhookEvent(trx, changed, 'changed', by);
  return changed;
}

/**
 * Removes a webhook, so that it receives nothing more. `restoreWebhook` can undo it for 10 minutes. @throws AppError
 * `not_found`
 */
export async function removeWebhook(trx: Trx, accountId: number, id: number, by: Actor): Promise<WebhookRow> {
  await lockAccount(trx, accountId);
  const webhook = await getWebhook(trx, accountId, id);
  await update(trx, webhook, { removed_at: Date.now(), ...dueAfterClaim(webhook) });
  await recordWebhookEvent(trx, webhook, 'removed', by);
  return webhook;
}

/**
 * Restores a removed webhook, which then receives the events since its removal. @throws AppError `not_found` if it is too
 * late; `conflict` if the account has the maximum number of webhooks
 */
export async function restoreWebhook(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  await lockAccount(trx, accountId);
  await checkWebhookCount(trx, accountId);
  const webhook = await trx
    .selectFrom('webhooks')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('removed_at', '>', Date.now() - RESTORE_PERIOD_MS)
    .executeTakeFirst();
  if (!webhook) throw notFound('The removed webhook');
  await update(trx, webhook, { removed_at: null, ...dueAfterClaim(webhook) });
  await recordWebhookEvent(trx, webhook, 'restored', by);
}

/** Retries at once, and resumes a paused webhook where it stopped. @throws AppError `not_found` */
export async function resumeWebhook(trx: Trx, accountId: number, id: number, by: Actor): Promise<void> {
  await lockAccount(trx, accountId);
  const webhook = await getWebhook(trx, accountId, id);
  await update(trx, webhook, { ...unfailed, ...dueAfterClaim(webhook) });
  if (webhook.paused_at !== null) await recordWebhookEvent(trx, webhook, 'resumed', by);
}

/**
 * Sends all events of the webhook's kinds again, starting with event `from`, or the first one after it if it is no longer
 * kept. @throws AppError `not_found`; ValidationError if the account has no such event
 */
export async function resendEvents(
  trx: Trx,
  accountId: number,
  { id, from }: { id: number; from: number },
  by: Actor,
): Promise<void> {
  await lockAccount(trx, accountId);
  const webhook = await getWebhook(trx, accountId, id);
  if (from > (await lastCommittedEventId(trx, accountId))) {
    throw new ValidationError([{ field: 'from', code: 'missing' }]);
  }
  const last_event_id = Math.min(from - 1, webhook.last_event_id);
  await update(trx, webhook, { ...unfailed, last_event_id, ...dueAfterClaim(webhook) });
  await recordWebhookEvent(trx, webhook, 'resent', by);
}

/**
 * Gives a webhook a new secret, and returns it. The previous secret stays valid for another day. @throws AppError
 * `not_found`
 */
export async function changeWebhookSecret(trx: Trx, accountId: number, id: number, by: Actor): Promise<string> {
  await lockAccount(trx, accountId);
  const webhook = await getWebhook(trx, accountId, id);
  const secret = newSecret();
  const old = { old_secret: webhook.secret, old_secret_until: Date.now() + OLD_SECRET_PERIOD_MS };
  await update(trx, webhook, { secret, ...old });
  await recordWebhookEvent(trx, webhook, 'secret_changed', by);
  return secret;
}

/**
 * Returns the columns that make the webhook due: at once, or after the delivery run that has claimed it, whose outcome is
 * then ignored. A claimed webhook stays claimed until that run ends: otherwise an account could exceed its number of
 * concurrent runs by changing webhooks.
 */
function dueAfterClaim({ claimed_by, due_at }: WebhookRow) {
  const now = Date.now();
  const isClaimed = claimed_by !== null && due_at > now;
  return isClaimed ? { claimed_by: voidClaim(claimed_by) } : { claimed_by: null, due_at: now };
}

const unfailed = { failures: 0, failing_since: null, paused_at: null };

function update(trx: Trx, { account_id, id }: WebhookRow, values: Partial<Omit<WebhookRow, 'id' | 'account_id'>>) {
  return trx
    .updateTable('webhooks')
    .set(values as object)
    .where('account_id', '=', account_id)
    .where('id', '=', id)
    .execute();
}
