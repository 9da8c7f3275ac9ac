import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import type { Db, Trx } from '../../db/database.ts';
import { Refusal } from '../../refusal.ts';
import { lockAccount } from '../../tenancy/lock-account.ts';
import { endSessionOf } from '../end-sessions.ts';
import { type ClientInfo, startSession } from '../sessions.ts';
import { suspended } from '../suspended.ts';
import { accountKey, isNamed } from '../users-of-address.ts';
import { CHALLENGE_LIFETIME_MS, makeChallenge, spendChallenge } from './challenges.ts';
import { notVerified, type PasskeyAnswer, requireVerified } from './passkey-answer.ts';
import { type RelyingParty, userHandle } from './relying-party.ts';

/**
 * Creates the options with which a browser lets the user choose a passkey. They name no user. They are built by hand because
 * every visit of the sign-in page gets them, and the library takes 30 MB of memory.
 */
export async function passkeyChallenge(db: Db, party: RelyingParty): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await db.transaction().execute((trx) => makeChallenge(trx, undefined));
  return { challenge, rpId: party.id, timeout: CHALLENGE_LIFETIME_MS, userVerification: 'required' };
}

interface PasskeySignInInput {
  answer: PasskeyAnswer;
  /** The subdomain of the account, if the user named one. */
  account?: string | undefined;
  clientInfo: ClientInfo;
  /** The token of the browser's earlier session, which ends. */
  previous: string | undefined;
}

/**
 * Signs in the owner of the passkey without a password or second factor: the device is something that they have, and it has
 * verified its user. Returns the session's token.
 * @throws AppError `unauthorized`, `suspended`; `conflict` when the passkey belongs to an account other than the named one.
 */
export async function signInWithPasskey(db: Db, input: PasskeySignInInput, party: RelyingParty): Promise<string> {
  const { answer, clientInfo, previous } = input;
  const challenge = await db
    .transaction()
    .execute((trx) => spendChallenge(trx, answer.response.clientDataJSON, undefined));
  const account = accountKey(input.account);
  const passkey = await findPasskey(db, answer.id, account);
  if (!passkey) throw new Refusal('unauthorized', { reason: 'passkey_unknown' });
  const used = await verify(passkey, challenge, answer, party);

  if (!passkey.isMeant) throw new Refusal('conflict', { reason: 'passkey_of_another_site' });
  const { accountId, userId } = passkey;
  return db.transaction().execute(async (trx) => {
    await recordPasskeyUse(trx, passkey, used);
    if (previous !== undefined) await endSessionOf(trx, previous);
    const actor = { userId, name: passkey.userName, ip: clientInfo.ip };
    const details = { by: 'passkey', passkey: passkey.name };
    await recordAuditEvent(trx, accountId, actor, { action: 'session.started', subject: `user_${userId}`, details });
    return startSession(trx, accountId, { userId, clientInfo });
  });
}

type Passkey = NonNullable<Awaited<ReturnType<typeof findPasskey>>>;

/**
 * Finds the passkey in any account, since nobody is signed in yet. `isMeant` is true unless the user named an account other
 * than the passkey's.
 */
function findPasskey(db: Db, credentialId: string, account: string | undefined) {
  return db
    .selectFrom('passkeys')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'passkeys.account_id').onRef('users.id', '=', 'passkeys.user_id'),
    )
    .innerJoin('accounts', 'accounts.id', 'passkeys.account_id')
    .select((e) => [
      'passkeys.id',
      'passkeys.name',
      'passkeys.account_id as accountId',
      'passkeys.user_id as userId',
      'passkeys.credential_id as credentialId',
      'passkeys.public_key as publicKey',
      'passkeys.counter',
      'users.name as userName',
      (account === undefined ? e.lit(true) : isNamed(e, account)).as('isMeant'),
    ])
    .where('passkeys.credential_id', '=', credentialId)
    .where('users.removed_at', 'is', null)
    .executeTakeFirst();
}

async function verify(passkey: Passkey, challenge: string, answer: PasskeyAnswer, party: RelyingParty) {
  if (answer.response.userHandle !== userHandle(passkey.userId)) throw notVerified('unauthorized');
  const { verifyAuthenticationResponse } = await import('./library.ts');
  const { authenticationInfo } = await requireVerified('unauthorized', () =>
    verifyAuthenticationResponse({
      response: answer as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credentialId,
        publicKey: Buffer.from(passkey.publicKey, 'base64url'),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    }),
  );
  return authenticationInfo;
}

/**
 * Records the use of the passkey, unless it was removed or used by a copy of it while it was verified.
 * @throws AppError `unauthorized`, `suspended`
 */
async function recordPasskeyUse(
  trx: Trx,
  { id, accountId, counter }: Passkey,
  { newCounter, credentialBackedUp }: { newCounter: number; credentialBackedUp: boolean },
): Promise<void> {
  await lockAccount(trx, accountId);
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ counter: newCounter, is_backed_up: credentialBackedUp ? 1 : 0, last_used_at: Date.now() })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('counter', '=', counter)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new Refusal('unauthorized', { reason: 'passkey_unknown' });
  const { status } = await trx
    .selectFrom('accounts')
    .select('status')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  if (status === 'suspended') throw await suspended(trx, accountId);
}
