import { service } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { findSender } from '../mail/find-sender.ts';
import { enqueue } from '../mail/outbox.ts';
import { webhookPaused } from '../mail/webhook-paused.ts';
import { reserveMail } from '../users/mail-budget.ts';
import { recordWebhookEvent } from './add-webhook.ts';
import type { Attempt } from './send.ts';
import type { WebhookRow } from './webhook.ts';

/** How many such messages a person gets in a day. */
const MESSAGES_PER_DAY = 10;
/** How many people are told: more than an account has. */
const MAX_TOLD = 10;

/** Records that a webhook has failed for too long, and tells the owners of the account by mail. */
export async function reportPause(trx: Trx, webhook: WebhookRow, last: Attempt, mailFrom: string): Promise<void> {
  const { account_id: accountId, url } = webhook;
  await recordWebhookEvent(trx, webhook, 'paused', service);
  const owners = await trx
    .selectFrom('users')
    .select(['id', 'name as userName', 'email as userEmail'])
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    // Others do not know of the website yet, or the address is not theirs.
    .where('address_proved_at', 'is not', null)
    .orderBy('id')
    .limit(MAX_TOLD)
    .execute();
  const sender = await findSender(trx, accountId, 'webhook_paused');
  const problem = last.error ?? `The address answers with the status ${last.status}.`;
  for (const { id: userId, ...owner } of owners) {
    const wait = await reserveMail(trx, {
      cause: 'webhook paused',
      email: owner.userEmail,
      userId,
      perDay: MESSAGES_PER_DAY,
    });
    if (wait > 0) continue;
    await enqueue(
      trx,
      accountId,
      mailFrom,
      webhookPaused({ ...sender, ...owner, webhook: new URL(url).host, problem }),
    );
  }
}
