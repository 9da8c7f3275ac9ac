import { noteDeed } from '../audit/note-deed.ts';
import type { Db } from '../db/database.ts';
import { forgottenPassword } from '../mail/forgotten-password.ts';
import { enqueue } from '../mail/outbox.ts';
import { countAttempt } from './attempts.ts';
import { emailKey } from './create-user.ts';
import { makeLink } from './one-time-links.ts';
import type { Whence } from './sessions.ts';

export interface ForgottenPasswordInput {
  email: string;
  /** The subdomain of the account that is meant, if one is. */
  account: string | undefined;
  whence: Whence;
}

export interface MailSettings {
  /** Links lead there, whatever host a request named. */
  publicUrl: string;
  mailFrom: string;
}

/**
 * Counts that somebody asks for a link to an address, whether that is known or not.
 * @throws TooManyAttempts
 */
export function countLinkRequest(db: Db, { email, whence }: ForgottenPasswordInput): Promise<void> {
  return countAttempt(db, [
    { kind: 'mail', of: emailKey(email.trim()) },
    { kind: 'mailing', of: whence.network },
  ]);
}

/** How many sites of one address get a message where none is named. */
const MOST_MESSAGES = 5;

/**
 * Mails a link to choose a new password by: one for each site that the address has, those used last first. Whoever calls
 * it has answered already, since how long it takes tells whether the address is known. Returns how many were queued.
 */
export async function mailPasswordLinks(
  db: Db,
  { email, account, whence }: ForgottenPasswordInput,
  { publicUrl, mailFrom }: MailSettings,
): Promise<number> {
  const users = await findUsers(db, emailKey(email.trim()), account?.trim().toLowerCase() || undefined);
  if (users.length === 0) return 0;
  await db.transaction().execute(async (trx) => {
    for (const { accountId, userId, userName, userEmail, accountName } of users) {
      const token = await makeLink(trx, accountId, userId, 'reset_password');
      const message = forgottenPassword({ userName, userEmail, accountName, publicUrl, token });
      await enqueue(trx, accountId, mailFrom, message);
      // Anybody can ask: it is not the user who did this.
      const actor = { userId: null, name: 'somebody', ip: whence.ip };
      await noteDeed(trx, accountId, actor, { action: 'password.forgotten', subject: `user_${userId}` });
    }
  });
  return users.length;
}

function findUsers(db: Db, email: string, subdomain: string | undefined) {
  let query = db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select((e) => [
      'users.account_id as accountId',
      'users.id as userId',
      'users.name as userName',
      'users.email as userEmail',
      'accounts.name as accountName',
      e
        .selectFrom('sessions')
        .select((s) => s.fn.coalesce(s.fn.max('sessions.id'), s.lit(0)).as('last'))
        .whereRef('sessions.account_id', '=', 'users.account_id')
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('last'),
    ])
    .where('users.email_key', '=', email)
    .where('users.removed_at', 'is', null)
    .where('accounts.status', '=', 'active')
    .orderBy('last', 'desc')
    .orderBy('users.id', 'desc')
    .limit(MOST_MESSAGES);
  if (subdomain !== undefined) query = query.where('accounts.subdomain', '=', subdomain);
  return query.execute();
}
