import type { Trx } from '../db/database.ts';
import { RateLimited } from '../errors.ts';
import { reserveShare } from '../users/mail-budget.ts';
import { recordDeliveries } from './deliveries.ts';
import type { Attempt, Send } from './send.ts';
import { signatureHeaders } from './sign.ts';
import { getWebhook } from './webhook.ts';

/** How many tests an account makes in an hour. */
const MAX_TESTS_PER_HOUR = 60;
const HOUR_MS = 60 * 60 * 1000;

interface TestInput {
  readonly webhookId: number;
  /** Runs a transaction after it has checked the caller. */
  readonly commit: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;
}

/**
 * Sends a message of the type `webhook.test`, whether the webhook is paused or not, and returns what came of it. Receivers can tell by
 * its id that it is no event.
 * @throws AppError `not_found`; RateLimited
 */
export async function testWebhook(accountId: number, { webhookId, commit }: TestInput, send: Send): Promise<Attempt> {
  const webhook = await commit(async (trx) => {
    const found = await getWebhook(trx, accountId, webhookId);
    const share = { key: `webhook tests of ${accountId}`, count: MAX_TESTS_PER_HOUR, periodMs: HOUR_MS };
    const wait = await reserveShare(trx, share);
    if (wait > 0) throw new RateLimited('Too many tests of webhooks. Try again later.', wait);
    return found;
  });
  const at = Date.now();
  const body = JSON.stringify({
    type: 'webhook.test',
    timestamp: new Date(at).toISOString(),
    data: { id: 'event_0', account_id: `account_${accountId}`, subject: `webhook_${webhookId}`, details: {} },
  });
  const message = { id: `test_${webhookId}_${at}`, body, at };
  const attempt = await send(webhook.url, signatureHeaders(webhook, message), body);
  await commit((trx) => recordDeliveries(trx, webhook, [{ ...attempt, eventId: 0 }]));
  return attempt;
}
