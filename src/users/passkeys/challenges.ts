import type { Trx } from '../../db/database.ts';
import { Refusal } from '../../refusal.ts';
import { hashToken, newToken } from '../token.ts';

/** How long somebody may take to find their device: 10 minutes. */
export const CHALLENGE_LIFETIME_MS = 10 * 60_000;

/** The owner of the passkey that is being registered; undefined for a sign-in. */
type Challenged = { accountId: number; userId: number } | undefined;

/** Makes a challenge that can be answered once. The database has its hash. */
export async function makeChallenge(trx: Trx, owner: Challenged): Promise<string> {
  const challenge = newToken();
  const row = {
    hash: hashToken(challenge),
    account_id: owner?.accountId ?? null,
    user_id: owner?.userId ?? null,
    expires_at: Date.now() + CHALLENGE_LIFETIME_MS,
  };
  await trx.insertInto('passkey_challenges').values(row).execute();
  return challenge;
}

/**
 * Deletes and returns the challenge that a response names, in a transaction before the response is verified, so that a
 * wrong one cannot be tried again.
 * @throws AppError `unauthorized` (`conflict` where it is somebody's) when there is none, it is somebody else's, was
 * used or is too old.
 */
export async function spendChallenge(trx: Trx, clientData: string, owner: Challenged): Promise<string> {
  const challenge = challengeIn(clientData);
  const query = trx
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hashToken(challenge))
    .where('expires_at', '>', Date.now());
  const mine = owner
    ? query.where('account_id', '=', owner.accountId).where('user_id', '=', owner.userId)
    : query.where('account_id', 'is', null);
  const { numDeletedRows } = await mine.executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new Refusal(owner ? 'conflict' : 'unauthorized', { reason: 'passkey_too_late' });
  return challenge;
}

/** Returns the challenge that the response claims to have signed; the library then verifies that. */
function challengeIn(clientData: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
