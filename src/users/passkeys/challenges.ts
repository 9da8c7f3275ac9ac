import type { Trx } from '../../db/database.ts';
import { Refusal } from '../../refusal.ts';
import { hashToken, newToken } from '../token.ts';

/** How long a user may take to find their device: 10 minutes. */
export const CHALLENGE_LIFETIME_MS = 10 * 60_000;

/** The user who registers a passkey; undefined for a sign-in. */
type ChallengeOwner = { accountId: number; userId: number } | undefined;

/** Creates a challenge that can be answered once. The database has only its hash. */
export async function makeChallenge(trx: Trx, owner: ChallengeOwner): Promise<string> {
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
 * Deletes and returns the challenge that a response names. It runs in its own transaction before the response is verified,
 * so that a wrong response cannot be tried again.
 * @throws AppError when there is no such challenge of the owner, or it was used or is too old: `conflict` for a
 * registration, `unauthorized` for a sign-in.
 */
export async function spendChallenge(trx: Trx, clientData: string, owner: ChallengeOwner): Promise<string> {
  const challenge = challengeIn(clientData);
  const query = trx
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hashToken(challenge))
    .where('expires_at', '>', Date.now());
  const owned = owner
    ? query.where('account_id', '=', owner.accountId).where('user_id', '=', owner.userId)
    : query.where('account_id', 'is', null);
  const { numDeletedRows } = await owned.executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new Refusal(owner ? 'conflict' : 'unauthorized', { reason: 'passkey_too_late' });
  return challenge;
}

/** Returns the challenge that the response claims to have signed. The library verifies the signature later. */
function challengeIn(clientData: string): string {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientData, 'base64url').toString());
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
}
