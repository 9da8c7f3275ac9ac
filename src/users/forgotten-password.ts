import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { findSender } from '../mail/find-sender.ts';
import { forgottenPassword } from '../mail/forgotten-password.ts';
import { enqueue } from '../mail/outbox.ts';
import { emailKey } from './create-user.ts';
import { reserveMail } from './mail-budget.ts';
import { makeLink } from './one-time-links.ts';
import type { ClientInfo } from './sessions.ts';
import { simulateMailWork } from './simulate-mail-work.ts';
import { countAttempt } from './throttle.ts';
import { accountKey, usersOfAddress } from './users-of-address.ts';

interface ForgottenPasswordInput {
  email: string;
  /** The subdomain of the account, if the user named one. */
  account?: string | undefined;
  clientInfo: ClientInfo;
}

export interface MailSettings {
  mailFrom: string;
}

/**
 * Counts a request for a password link to an address, whether or not it is known. Three counts apply: requests for the
 * address from this network, all requests from this network, and all requests that name the same address, account and host.
 * A request for another account, or at the host of an agency that the account is not below, mails nothing to this account's
 * owner. It therefore must not delay them.
 * @throws TooManyAttempts
 */
export function countLinkRequest(db: Db, { email, account, clientInfo }: ForgottenPasswordInput): Promise<void> {
  const address = emailKey(email.trim());
  return countAttempt(db, [
    { kind: 'forgotten', subject: `${clientInfo.network} ${address}` },
    {
      kind: 'forgottenByAll',
      subject: `${clientInfo.appHost?.accountId ?? ''} ${accountKey(account) ?? ''} ${address}`,
    },
    { kind: 'mailing', subject: clientInfo.network },
  ]);
}

/**
 * The most messages for one address if the request names no account: one for each of its first accounts, in the order of
 * `usersOfAddress`.
 */
const MAX_MESSAGES = 5;

/**
 * The most links that a mailbox gets per day for users who have not proved the address. A stranger can create any number of
 * such users and ask for a link to each. One account alone cannot use up the budget. The customers of each top-level account
 * have a budget of their own. Strangers cannot use it up: their accounts are customers of a customer.
 */
const UNPROVED_LINKS_PER_DAY = 100;

/**
 * Mails a link for choosing a new password for each of the address's accounts. The caller has already answered the request.
 * An unknown address costs as much work as an address with one account.
 */
export async function mailPasswordLinks(
  db: Db,
  { email, account, clientInfo }: ForgottenPasswordInput,
  { mailFrom }: MailSettings,
): Promise<void> {
  const address = emailKey(email.trim());
  const users = await usersOfAddress(db, {
    email: address,
    account: accountKey(account),
    network: clientInfo.network,
    belowAccount: clientInfo.appHost?.accountId,
  })
    .leftJoin('accounts as sellers', 'sellers.id', 'accounts.parent_id')
    .select('users.email as userEmail')
    .select(['sellers.id as sellerId', 'sellers.parent_id as sellersSellerId'])
    .where('accounts.status', '=', 'active')
    .limit(MAX_MESSAGES)
    .execute();
  await db.transaction().execute(async (trx) => {
    if (users.length === 0) await simulateMailWork(trx);
    for (const user of users) {
      const { accountId, userId, userName, userEmail, isProved } = user;
      if (!(await lockAddress(trx, user, address))) continue;
      const count = { cause: causeFor(user), email: userEmail, perDay: UNPROVED_LINKS_PER_DAY };
      if (!isProved && (await reserveMail(trx, count)) > 0) continue;
      const token = await makeLink(trx, accountId, userId, 'reset_password');
      const message = forgottenPassword({
        ...(await findSender(trx, accountId, 'forgotten_password')),
        userName,
        userEmail,
        token,
      });
      await enqueue(trx, accountId, mailFrom, message);
      // Anybody can ask for a link, so the actor is not the user.
      const actor = { userId: null, name: 'somebody', ip: clientInfo.ip };
      await recordAuditEvent(trx, accountId, actor, { action: 'password.forgotten', subject: `user_${userId}` });
    }
  });
}

/**
 * Locks the user's address and password until the transaction ends. Otherwise a concurrent change of either would miss the
 * new link, which it has to void. Returns true if the user still has the address.
 */
async function lockAddress(
  trx: Trx,
  { accountId, userId }: { accountId: number; userId: number },
  address: string,
): Promise<boolean> {
  const user = await trx
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.id')
    .select('users.id')
    .where('accounts.id', '=', accountId)
    .where('users.id', '=', userId)
    .where('users.email_key', '=', address)
    .where('users.removed_at', 'is', null)
    // Not `lockAccount`: a stranger with an account for the address could hold that lock for long.
    .$if(dialectOf(trx) === 'postgres', (query) => query.forKeyShare('accounts').forShare('users'))
    .executeTakeFirst();
  return user !== undefined;
}

interface Seller {
  accountId: number;
  sellerId: number | null;
  sellersSellerId: number | null;
}

/**
 * Returns the cause whose budget a link counts against: one per top-level account, and one for all deeper accounts together.
 */
function causeFor({ accountId, sellerId, sellersSellerId }: Seller): string {
  if (sellersSellerId !== null) return 'forgotten password';
  return `forgotten password of account ${sellerId ?? accountId}`;
}
