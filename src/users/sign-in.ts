import { noteDeed } from '../audit/note-deed.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { type AttemptKey, countAttempt, forgive, networkKeys } from './attempts.ts';
import { emailKey } from './create-user.ts';
import { endSessionOf } from './end-sessions.ts';
import { verifyPassword } from './password.ts';
import { checkSecondFactor, hasSecondFactor, SecondFactorNeeded } from './second-factor.ts';
import { isKnownNetwork, startSession, type Whence } from './sessions.ts';
import { usersOfAddress } from './users-of-address.ts';

export interface SignInInput {
  email: string;
  password: string;
  /** The subdomain of the account that is meant, if one is. */
  account: string | undefined;
  /** Of the second factor: a code of the app's, or one for recovery. */
  code: string | undefined;
  whence: Whence;
  /** The token that the browser has from before: that session ends. */
  previous: string | undefined;
}

export type SignInOutcome =
  | { token: string }
  /** The password is right for several sites: which is meant? */
  | { choose: { subdomain: string; name: string }[] };

/**
 * Signs somebody in. Neither what it says nor how long it takes tells whether an address is known: as many passwords are
 * verified for one that is not.
 * @throws AppError `unauthorized`, `suspended`; SecondFactorNeeded; TooManyAttempts
 */
export async function signIn(db: Db, input: SignInInput): Promise<SignInOutcome> {
  const { password, whence, code } = input;
  const account = input.account?.trim().toLowerCase() || undefined;
  const email = emailKey(input.email.trim());
  const keys = await attemptKeys(db, { email, account, network: whence.network });
  await countAttempt(db, keys);

  const candidates = await findCandidates(db, email, account);
  const right = await withPassword(candidates, password, account === undefined ? MOST_TRIED : 1);
  if (right.length === 0) throw new AppError('unauthorized', WRONG);
  const open = right.filter(({ status }) => status === 'active');
  const forgiven = () => db.transaction().execute((trx) => forgive(trx, keys));
  if (open.length !== 1) {
    await forgiven();
    if (open.length === 0) throw new AppError('suspended', SUSPENDED);
    return { choose: open.map(({ subdomain, name }) => ({ subdomain, name })) };
  }

  const user = open[0]!;
  const { accountId, userId } = user;
  const guarded = await hasSecondFactor(db, accountId, userId);
  if (guarded && code === undefined) {
    await forgiven();
    throw new SecondFactorNeeded('Enter the code of your authenticator app.');
  }
  if (guarded) await countAttempt(db, [{ kind: 'user', of: String(userId) }]);
  return db.transaction().execute(async (trx) => {
    await checkPasswordStays(trx, user);
    if (guarded) {
      await checkSecondFactor(trx, accountId, userId, code!);
      await forgive(trx, [{ kind: 'user', of: String(userId) }]);
    }
    await forgive(trx, keys);
    return { token: await begin(trx, user, input) };
  });
}

const WRONG = 'The address or the password is wrong.';
const SUSPENDED = 'This website is suspended. Whoever set it up for you can tell you more.';

/**
 * Verifying takes a while, in which the password may have been changed: that ends all sessions, and this would be one
 * more. The user cannot be changed from here to the end of the transaction.
 */
async function checkPasswordStays(trx: Trx, { accountId, userId, passwordHash }: Candidate): Promise<void> {
  const same = await trx
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .$if(dialectOf(trx) === 'postgres', (query) => query.forShare())
    .executeTakeFirst();
  if (!same) throw new AppError('unauthorized', WRONG);
}

async function begin(trx: Trx, user: Candidate, { whence, previous }: SignInInput): Promise<string> {
  const { accountId, userId } = user;
  if (previous !== undefined) await endSessionOf(trx, previous);
  const actor = { userId, name: user.userName, ip: whence.ip };
  await noteDeed(trx, accountId, actor, { action: 'session.started', subject: `user_${userId}` });
  return startSession(trx, accountId, { userId, whence });
}

/** Whoever has signed in from here before is not kept out by what strangers guess elsewhere. */
async function attemptKeys(db: Db, whose: Parameters<typeof isKnownNetwork>[1]): Promise<AttemptKey[]> {
  const { email, network } = whose;
  if (await isKnownNetwork(db, whose)) return [{ kind: 'known', of: `${network} ${email}` }];
  return [{ kind: 'address', of: email }, ...networkKeys(network)];
}

interface Candidate {
  accountId: number;
  userId: number;
  userName: string;
  passwordHash: string | null;
  subdomain: string;
  name: string;
  status: 'active' | 'suspended';
}

/** How many accounts of an address are tried before it is wrong, and how many hashes are computed for an unknown one. */
const MOST_TRIED = 4;
/** And how many once one of those was right. */
const MOST_OFFERED = 30;

function findCandidates(db: Db, email: string, subdomain: string | undefined): Promise<Candidate[]> {
  return usersOfAddress(db, email, subdomain)
    .select(['users.password_hash as passwordHash', 'accounts.subdomain', 'accounts.name', 'accounts.status'])
    .where('users.password_hash', 'is not', null)
    .limit(MOST_OFFERED)
    .execute();
}

/**
 * Those whose password it is. `first` of them are verified whether there are as many or not, and the others only when one
 * was right: how long it takes to be wrong is always the same.
 */
async function withPassword(candidates: readonly Candidate[], password: string, first: number): Promise<Candidate[]> {
  const isRight = async (candidate: Candidate | undefined) =>
    (await verifyPassword(candidate?.passwordHash ?? NOBODYS_HASH, password)) && candidate !== undefined;
  const among = async (some: readonly (Candidate | undefined)[]) => {
    const verdicts = await Promise.all(some.map(isRight));
    return some.filter((candidate, index): candidate is Candidate => candidate !== undefined && verdicts[index]!);
  };
  const right = await among(Array.from({ length: first }, (_, index) => candidates[index]));
  return right.length === 0 ? [] : [...right, ...(await among(candidates.slice(first)))];
}

/** Of a password that nobody knows, with the parameters of all others. */
const NOBODYS_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$/rxL15RM/puZ3TZzvPldjA$Vt1RzsNE8LeqeKZqoRPly1U+jJp/FSJp3fieKSeeXnU';
