import { recordAuditEvent } from '../audit/record-audit-event.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { emailKey } from './create-user.ts';
import { endSessionOf } from './end-sessions.ts';
import { checkSecondFactor, hasSecondFactor, SecondFactorNeeded } from './second-factor.ts';
import { type ClientInfo, startSession } from './sessions.ts';
import { type Candidate, filterByPassword, findCandidates } from './sign-in-candidates.ts';
import { countSignInAttempt } from './sign-in-throttle.ts';
import { suspended } from './suspended.ts';
import { countAttempt, networkKeys, resetAttempts, userKey } from './throttle.ts';
import { accountKey } from './users-of-address.ts';

interface SignInInput {
  email: string;
  password: string;
  /** The subdomain of the account, if the user named one. */
  account?: string | undefined;
  /** The code of the second factor: from the authenticator app, or a recovery code. */
  code?: string | undefined;
  clientInfo: ClientInfo;
  /** The token of the browser's earlier session, which ends. */
  previous: string | undefined;
}

type SignInOutcome =
  | { token: string }
  /** The password is right for several sites, of which the user has to choose one. */
  | { choose: { subdomain: string; name: string }[] };

/**
 * The number of an address's accounts that are tried before the password counts as wrong, and the number of hashes that are
 * computed for an unknown address.
 */
const MAX_VERIFIED = 4;

/**
 * Signs a user in. Neither the answer nor its duration reveals whether an address is known: an unknown address costs as many
 * hashes.
 * @throws AppError `unauthorized`, `suspended`; SecondFactorNeeded; TooManyAttempts
 */
export async function signIn(db: Db, input: SignInInput): Promise<SignInOutcome> {
  const { code } = input;
  const { matching, settle } = await findMatchingUsers(db, input);
  const active = matching.filter(({ status }) => status === 'active');
  const settleCounts = () => db.transaction().execute((trx) => settle(trx, matching));
  if (active.length !== 1) {
    await settleCounts();
    if (active.length === 0) throw await suspended(db, matching[0]!.accountId);
    const latestFirst = active.sort((a, b) => (b.lastSession ?? 0) - (a.lastSession ?? 0) || b.userId - a.userId);
    return { choose: latestFirst.map(({ subdomain, name }) => ({ subdomain, name })) };
  }

  const user = active[0]!;
  const { accountId, userId } = user;
  const needsCode = await hasSecondFactor(db, accountId, userId);
  if (needsCode && code === undefined) {
    await settleCounts();
    throw new SecondFactorNeeded('Enter the code of your authenticator app.');
  }
  const ownKeys = needsCode ? [userKey(userId)] : [];
  if (needsCode) await countAttempt(db, ownKeys);
  return db.transaction().execute(async (trx) => {
    await checkPasswordUnchanged(trx, user);
    if (needsCode) await checkSecondFactor(trx, accountId, userId, code!);
    await settle(trx, matching);
    await resetAttempts(trx, { clear: ownKeys });
    return { token: await beginSession(trx, user, input) };
  });
}

/**
 * Returns the users of the address whose password is the entered one. Tries candidates beyond the first few only if the
 * password is right for a user who has proved that they own the address. A stranger, who can have accounts made for the
 * address, thus learns nothing about the others.
 */
async function findMatchingUsers(db: Db, { clientInfo: { network, appHost }, password, ...input }: SignInInput) {
  const account = accountKey(input.account);
  const email = emailKey(input.email.trim());
  const isNamed = account !== undefined;
  const candidates = await findCandidates(db, { email, account, network, belowAccount: appHost?.accountId });
  const first = candidates.slice(0, MAX_VERIFIED);
  const { allowed, settle } = await countSignInAttempt(db, first, { email, network, isNamed });
  const fairnessKey = networkKeys(network).at(-1)!.subject;
  const matching = await filterByPassword(allowed, password, { hashes: isNamed ? 1 : MAX_VERIFIED, fairnessKey });
  if (matching.length === 0) throw new AppError('unauthorized', WRONG);
  if (matching.some(({ isProved }) => isProved)) {
    matching.push(...(await filterByPassword(candidates.slice(MAX_VERIFIED), password, { hashes: 0, fairnessKey })));
  }
  return { matching, settle };
}

const WRONG = 'The address or the password is wrong.';

/**
 * Checks that the password was not changed while it was verified: a change ends all sessions, and this sign-in would start
 * another. Locks the account and, on PostgreSQL, the user until the transaction ends.
 */
async function checkPasswordUnchanged(trx: Trx, { accountId, userId, passwordHash }: Candidate): Promise<void> {
  await lockAccount(trx, accountId);
  const unchanged = await trx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .$if(dialectOf(trx) === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  if (!unchanged) throw new AppError('unauthorized', WRONG);
}

async function beginSession(trx: Trx, user: Candidate, { clientInfo, previous }: SignInInput): Promise<string> {
  const { accountId, userId } = user;
  if (previous !== undefined) await endSessionOf(trx, previous);
  const actor = { userId, name: user.userName, ip: clientInfo.ip };
  await recordAuditEvent(trx, accountId, actor, { action: 'session.started', subject: `user_${userId}` });
  return startSession(trx, accountId, { userId, clientInfo });
}
