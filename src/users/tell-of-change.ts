import type { Trx } from '../db/database.ts';
import { enqueue } from '../mail/outbox.ts';
import { type SecurityChange, securityNotice } from '../mail/security-notice.ts';
import type { MailSettings } from './forgotten-password.ts';

export interface ChangeToTell {
  userId: number;
  change: SecurityChange;
  ip: string;
}

/** Queues a message to the user that the way they sign in has changed, in the transaction that changes it. */
export async function tellOfChange(
  trx: Trx,
  accountId: number,
  { userId, change, ip }: ChangeToTell,
  { mailFrom }: MailSettings,
): Promise<void> {
  const user = await trx
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.name as userName', 'users.email as userEmail', 'accounts.name as accountName'])
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
  await enqueue(trx, accountId, mailFrom, securityNotice({ ...user, change, ip, at: Date.now() }));
}
