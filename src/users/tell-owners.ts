import type { Trx } from '../db/database.ts';
import type { Sender } from '../mail/email-template.ts';
import { findSender } from '../mail/find-sender.ts';
import type { MailKind } from '../mail/mail-words.ts';
import { enqueue, type Message } from '../mail/outbox.ts';
import { reserveMail } from './mail-budget.ts';

/** The most owners that are told: more than an account has. */
const MAX_TOLD = 10;

interface Notice {
  readonly kind: MailKind;
  /** The cause that the messages are counted under. */
  readonly cause: string;
  /** The most messages of the cause that an owner gets per day. Further ones are dropped. */
  readonly perDay: number;
  readonly mailFrom: string;
  readonly messageTo: (owner: Sender & { accountName: string; userName: string; userEmail: string }) => Message;
}

/** Queues a message to each owner of the account whose address is proved. */
export async function tellOwners(
  trx: Trx,
  accountId: number,
  { kind, cause, perDay, mailFrom, messageTo }: Notice,
): Promise<void> {
  const owners = await trx
    .selectFrom('users')
    .select(['id', 'name as userName', 'email as userEmail'])
    .where('account_id', '=', accountId)
    .where('role', '=', 'owner')
    .where('removed_at', 'is', null)
    // Other owners do not know of the website yet, or the address is not theirs.
    .where('address_proved_at', 'is not', null)
    .orderBy('id')
    .limit(MAX_TOLD)
    .execute();
  const sender = await findSender(trx, accountId, kind);
  for (const { id: userId, ...owner } of owners) {
    const wait = await reserveMail(trx, { cause, email: owner.userEmail, userId, perDay });
    if (wait === 0) await enqueue(trx, accountId, mailFrom, messageTo({ ...sender, ...owner }));
  }
}
