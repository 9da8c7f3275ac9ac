import type { Trx } from '../db/database.ts';
import { forgottenPassword } from '../mail/forgotten-password.ts';
import { newToken } from './token.ts';

/** How many rows a message makes: the budget, the link, the message itself, the entry in the log. */
const ROW_COUNT = 4;
/** PostgreSQL can index values of this length, with room to spare. */
const MAX_KEY_CHARACTERS = 1000;

/**
 * Does about the work of queueing a message and leaves nothing of it. Otherwise whoever asks for a link to an address
 * could see by how long the next request takes whether there was anything to do.
 */
export async function simulateMailWork(trx: Trx): Promise<void> {
  const nobody = { userName: 'Nobody', userEmail: 'nobody@example.com', accountName: 'Nothing' };
  const { html } = forgottenPassword({ ...nobody, token: newToken() });
  // The one table whose rows are nobody's.
  const keys = Array.from({ length: ROW_COUNT }, () => `nobody ${newToken()} ${html}`.slice(0, MAX_KEY_CHARACTERS));
  for (const key of keys) {
    await trx.insertInto('sign_in_attempts').values({ key, failures: 0, failed_at: 0, open_at: 0 }).execute();
  }
  await trx.deleteFrom('sign_in_attempts').where('key', 'in', keys).execute();
}
