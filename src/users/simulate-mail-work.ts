import type { Trx } from '../db/database.ts';
import { findSender } from '../mail/find-sender.ts';
import { forgottenPassword } from '../mail/forgotten-password.ts';
import { newToken } from './token.ts';

/** The number of rows that a message creates: the budget, the link, the message, the audit event. */
const ROW_COUNT = 4;
/** The length of the keys, well below the most that PostgreSQL can index. */
const MAX_KEY_CHARACTERS = 1000;

/**
 * Does about as much work as queueing a message, and leaves nothing behind. Otherwise the duration of the next request would
 * reveal whether an address is known.
 */
export async function simulateMailWork(trx: Trx): Promise<void> {
  const nobody = { userName: 'Nobody', userEmail: 'nobody@example.com', accountName: 'Nothing' };
  const sender = await findSender(trx, 0, 'forgotten_password');
  const { html } = forgottenPassword({ ...sender, ...nobody, token: newToken() });
  // Uses the only table whose rows belong to no account.
  const keys = Array.from({ length: ROW_COUNT }, () => `nobody ${newToken()} ${html}`.slice(0, MAX_KEY_CHARACTERS));
  for (const key of keys) {
    await trx.insertInto('sign_in_attempts').values({ key, failures: 0, failed_at: 0, open_at: 0 }).execute();
  }
  await trx.deleteFrom('sign_in_attempts').where('key', 'in', keys).execute();
}
