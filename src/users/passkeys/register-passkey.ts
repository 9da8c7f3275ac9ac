import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { recordAuditEvent, type UserActor } from '../../audit/record-audit-event.ts';
import { violatedUniqueRule } from '../../db/constraint.ts';
import type { Db, Trx } from '../../db/database.ts';
import { ValidationError } from '../../errors.ts';
import { validateLabel } from '../../name.ts';
import { Refusal } from '../../refusal.ts';
import type { MailSettings } from '../forgotten-password.ts';
import { sendSecurityNotice } from '../send-security-notice.ts';
import { CHALLENGE_LIFETIME_MS, makeChallenge, spendChallenge } from './challenges.ts';
import { listPasskeys } from './list-passkeys.ts';
import { type PasskeyAnswer, requireVerified } from './passkey-answer.ts';
import { type RelyingParty, userHandle } from './relying-party.ts';

/** The most passkeys of a user: more than anybody has devices, and few enough for a browser's exclusion list. */
const MAX_PASSKEYS = 20;

/**
 * EdDSA, ES256 and RS256: every device supports one of them. By default, the library asks Node.js about newer algorithms as
 * well, and Node.js then prints a warning to standard error.
 */
const ALGORITHMS = [-8, -7, -257];

/** Runs the work in one transaction, after checking that the user is still signed in. */
type Commit = (work: (trx: Trx) => Promise<string>) => Promise<string>;

/**
 * Returns the options with which a browser creates a passkey for the user.
 * @throws AppError `conflict` when the user has too many passkeys.
 */
export async function beginPasskey(
  db: Db,
  { accountId, userId }: { accountId: number; userId: number },
  party: RelyingParty,
  commit: Commit,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const known = await listPasskeys(db, accountId, userId);
  if (known.length >= MAX_PASSKEYS)
    throw new Refusal('conflict', { reason: 'too_many_passkeys', params: { max: MAX_PASSKEYS } });
  const { name, email, accountName } = await getOwner(db, accountId, userId);
  const challenge = await commit((trx) => makeChallenge(trx, { accountId, userId }));
  const { generateRegistrationOptions } = await import('./library.ts');
  return generateRegistrationOptions({
    rpName: party.id,
    rpID: party.id,
    userID: Buffer.from(userHandle(userId), 'base64url'),
    // Browsers offer passkeys by this name: one person may have a passkey for each of several sites.
    userName: `${email} (${accountName})`,
    userDisplayName: name,
    challenge: Buffer.from(challenge, 'base64url'),
    timeout: CHALLENGE_LIFETIME_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential_id: id, transports }) => ({
      id,
      ...(transports && { transports: transports.split(',') }),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

interface NewPasskey {
  name: string;
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string;
  mayBeBackedUp: boolean;
  isBackedUp: boolean;
}

/**
 * Verifies a passkey that a browser has created: it must answer the user's own challenge, be for this origin, and come from
 * a device that has verified its user.
 * @throws ValidationError for the name; AppError `conflict`
 */
export async function verifyNewPasskey(
  { accountId, userId }: { accountId: number; userId: number },
  { name, answer }: { name: string; answer: PasskeyAnswer },
  party: RelyingParty,
  commit: Commit,
): Promise<NewPasskey> {
  const given = checkName(name);
  const challenge = await commit((trx) => spendChallenge(trx, answer.response.clientDataJSON, { accountId, userId }));
  const { verifyRegistrationResponse } = await import('./library.ts');
  const { registrationInfo } = await requireVerified('conflict', async () => {
    const response = answer as unknown as RegistrationResponseJSON;
    await checkNoCertificates(response);
    return verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
  });
  const { credential, credentialDeviceType, credentialBackedUp } = registrationInfo;
  return {
    name: given,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: readTransports(answer.response.transports),
    mayBeBackedUp: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
  };
}

/**
 * Stores the passkey for the user, mails a notice and returns the passkey's id.
 * @throws AppError `conflict` when the passkey exists already; RateLimited when the mailbox has received too much mail.
 */
export async function addPasskey(
  trx: Trx,
  accountId: number,
  passkey: NewPasskey,
  by: UserActor,
  settings: MailSettings,
): Promise<number> {
  const id = await insertPasskey(trx, accountId, by.userId, passkey);
  await recordAuditEvent(trx, accountId, by, { action: 'passkey.added', subject: `passkey_${id}` });
  await sendSecurityNotice(trx, accountId, { kind: 'passkey added', name: passkey.name }, by, settings);
  return id;
}

async function insertPasskey(trx: Trx, accountId: number, userId: number, passkey: NewPasskey): Promise<number> {
  try {
    const { id } = await trx
      .insertInto('passkeys')
      .values({
        account_id: accountId,
        user_id: userId,
        name: passkey.name,
        credential_id: passkey.credentialId,
        public_key: passkey.publicKey,
        counter: passkey.counter,
        transports: passkey.transports,
        may_be_backed_up: passkey.mayBeBackedUp ? 1 : 0,
        is_backed_up: passkey.isBackedUp ? 1 : 0,
        created_at: Date.now(),
        last_used_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  } catch (error) {
    if (violatedUniqueRule(error) !== 'passkeys_credential') throw error;
    throw new Refusal('conflict', { reason: 'passkey_exists' });
  }
}

/**
 * Returns the trimmed name of a passkey.
 * @throws ValidationError
 */
export function checkName(name: string): string {
  const given = name.trim();
  const problem = validateLabel(given);
  if (problem) throw new ValidationError([{ field: 'name', ...problem }]);
  return given;
}

/**
 * Refuses a response with certificates, which we do not request. To check a certificate, the library would ask addresses
 * inside it about its revocation, and the sender chooses these addresses.
 */
async function checkNoCertificates({ response }: RegistrationResponseJSON): Promise<void> {
  const { decodeAttestationObject } = await import('./library.ts');
  const attestation = decodeAttestationObject(Buffer.from(response.attestationObject, 'base64url'));
  const format = attestation.get('fmt');
  const isOwn = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !isOwn) throw new Error(`attestation in the format ${format}`);
}

/** Reads the ways in which a browser can reach the passkey. Accepts words of later versions of the specification as well. */
function readTransports(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return value
    .filter((word) => typeof word === 'string' && /^[a-z-]{1,20}$/.test(word))
    .slice(0, 10)
    .join();
}

function getOwner(db: Db, accountId: number, userId: number) {
  return db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select(['users.name', 'users.email', 'accounts.name as accountName'])
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow();
}
