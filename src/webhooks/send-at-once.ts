import { findEvent } from '../audit/read-events.ts';
import { currentTrace } from '../db/connection-turns.ts';
import type { Trx } from '../db/database.ts';
import { RateLimited, ValidationError } from '../errors.ts';
import type { Trace } from '../trace.ts';
import { reserveShare } from '../users/mail-budget.ts';
import { recordDeliveries } from './deliveries.ts';
import { eventMessage, type Message, recordSending, sendMessage } from './message.ts';
import type { Attempt, Send } from './send.ts';
import { getWebhook, type WebhookRow } from './webhook.ts';

/** How many messages an account may send by hand in an hour. */
const MAX_PER_HOUR = 60;
const HOUR_MS = 60 * 60 * 1000;

interface SendInput {
  readonly webhookId: number;
  /** Runs a transaction after it has checked the caller. */
  readonly commit: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

/**
 * Sends a message of the type `webhook.test`, even if the webhook is paused. Returns the attempt. Its id tells receivers
 * that it is not an event.
 * @throws AppError `not_found`; RateLimited
 */
export async function testWebhook(accountId: number, input: SendInput, send: Send): Promise<Attempt> {
  const webhook = await input.commit((trx) => beginSending(trx, accountId, input.webhookId));
  const at = Date.now();
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: new Date(at).toISOString(),
    data: { id: 'event_0', account_id: `account_${accountId}`, subject: `webhook_${input.webhookId}`, details: {} },
  });
  const message = (step: Trace | undefined) => ({
    id: `test_${input.webhookId}_${at}`,
    body,
    traceparent: step && String(step),
  });
  const attempt = await sendAsStep(webhook, message, send);
  await input.commit((trx) => recordDeliveries(trx, webhook, [{ ...attempt, eventId: 0 }]));
  return attempt;
}

/**
 * Sends one event again, even if its kind is not chosen or the webhook is paused, because the user has named this very
 * event. Waiting events are not affected. Returns the attempt.
 * @throws AppError `not_found`; ValidationError if the event no longer exists; RateLimited
 */
export async function replayEvent(
  accountId: number,
  { webhookId, eventId, commit }: SendInput & { readonly eventId: number },
  send: Send,
): Promise<Attempt> {
  const { webhook, event } = await commit(async (trx) => {
    const webhook = await beginSending(trx, accountId, webhookId);
    const event = await findEvent(trx, accountId, eventId);
    if (!event) throw new ValidationError([{ field: 'event', code: 'missing' }]);
    return { webhook, event };
  });
  const attempt = await sendAsStep(webhook, (step) => eventMessage(accountId, event, step), send);
  await commit((trx) => recordDeliveries(trx, webhook, [{ ...attempt, eventId }]));
  return attempt;
}

/** Sends the message as a step in the trace of the current request. */
async function sendAsStep(
  webhook: WebhookRow,
  messageOf: (step: Trace | undefined) => Message,
  send: Send,
): Promise<Attempt> {
  const step = currentTrace()?.child();
  const attempt = await sendMessage({ url: webhook.url, secrets: webhook }, messageOf(step), send);
  recordSending(webhook, step, attempt);
  return attempt;
}

async function beginSending(trx: Trx, accountId: number, webhookId: number): Promise<WebhookRow> {
  const webhook = await getWebhook(trx, accountId, webhookId);
  const share = { key: `webhook tests of ${accountId}`, count: MAX_PER_HOUR, periodMs: HOUR_MS };
  const wait = await reserveShare(trx, share);
  if (wait > 0) throw new RateLimited('Too many events were sent to webhooks by hand. Try again later.', wait);
  return webhook;
}
