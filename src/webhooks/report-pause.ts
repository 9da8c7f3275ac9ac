import { service } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { webhookPaused } from '../mail/webhook-paused.ts';
import { tellOwners } from '../users/tell-owners.ts';
import { recordWebhookEvent } from './add-webhook.ts';
import type { Attempt } from './send.ts';
import type { WebhookRow } from './webhook.ts';

const MESSAGES_PER_DAY = 10;

/** Records that a webhook has failed for too long, and tells the owners of the account by mail. */
export async function reportPause(trx: Trx, webhook: WebhookRow, last: Attempt, mailFrom: string): Promise<void> {
  const { account_id: accountId, url } = webhook;
  await recordWebhookEvent(trx, webhook, 'paused', service);
  const about = {
    webhook: new URL(url).host,
    problem: last.error ?? `The address answered with the status ${last.status}.`,
  };
  await tellOwners(trx, accountId, {
    kind: 'webhook_paused',
    cause: 'webhook paused',
    perDay: MESSAGES_PER_DAY,
    mailFrom,
    messageTo: (owner) => webhookPaused({ ...owner, ...about }),
  });
}
