import type { SqlBool } from 'kysely';
import { noteDeed } from '../audit/note-deed.ts';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { holdAccount } from '../db/hold-account.ts';
import { AppError } from '../errors.ts';
import { type AttemptKey, countAttempt, forgive, knownKey, networkKeys, TooManyAttempts } from './attempts.ts';
import { emailKey } from './create-user.ts';
import { endSessionOf } from './end-sessions.ts';
import { verifyPassword } from './password.ts';
import { checkSecondFactor, hasSecondFactor, SecondFactorNeeded } from './second-factor.ts';
import { startSession, type Whence } from './sessions.ts';
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
  const candidates = await findCandidates(db, { email, account, network: whence.network });
  const { keys, open: tried, refusal } = await countFor(db, candidates, { email, network: whence.network });
  const whose = networkKeys(whence.network).at(-1)!.of;
  const right = await withPassword(tried, password, { first: account === undefined ? MOST_TRIED : 1, whose });
  if (right.length === 0) throw refusal ?? new AppError('unauthorized', WRONG);
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
  await holdAccount(trx, accountId);
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

interface Counted {
  keys: AttemptKey[];
  /** Those whose password may be tried. */
  open: readonly Candidate[];
  /** Why that of the others may not. */
  refusal?: TooManyAttempts;
}

/**
 * Counts the attempt. Whoever has signed in from this network before is not kept out by what strangers guess elsewhere, nor
 * by there being others of their address who have not: anybody can have an account made for somebody else's address. For
 * the same reason one whom the network is known to opens it for nobody else: the others count, and wait, as everywhere.
 * @throws TooManyAttempts when nobody's password may be tried.
 */
async function countFor(
  db: Db,
  candidates: readonly Candidate[],
  { email, network }: { email: string; network: string },
): Promise<Counted> {
  const keys: AttemptKey[] = [{ kind: 'address', of: email }, ...networkKeys(network)];
  const known = candidates.filter(({ isKnown }) => isKnown);
  if (known.length === 0) {
    await countAttempt(db, keys);
    return { keys, open: candidates };
  }
  const ownKeys = [knownKey(network, email)];
  await countAttempt(db, ownKeys);
  if (known.length === candidates.length) return { keys: ownKeys, open: known };
  try {
    await countAttempt(db, keys);
    return { keys: [...ownKeys, ...keys], open: candidates };
  } catch (error) {
    if (error instanceof TooManyAttempts) return { keys: ownKeys, open: known, refusal: error };
    throw error;
  }
}

interface Candidate {
  accountId: number;
  userId: number;
  userName: string;
  passwordHash: string | null;
  subdomain: string;
  name: string;
  status: 'active' | 'suspended';
  /** Whether they have signed in from this network of late: SQLite says it by a number. */
  isKnown: SqlBool;
}

/** How many accounts of an address are tried before it is wrong, and how many hashes are computed for an unknown one. */
const MOST_TRIED = 4;
/** And how many once one of those was right. */
const MOST_OFFERED = 30;

/** Those whom the network is known to come first: however many others there are, these are tried. */
function findCandidates(
  db: Db,
  { email, account, network }: { email: string; account: string | undefined; network: string },
): Promise<Candidate[]> {
  return usersOfAddress(db, email, account)
    .select(['users.password_hash as passwordHash', 'accounts.subdomain', 'accounts.name', 'accounts.status'])
    .select((e) =>
      e
        .exists(
          e
            .selectFrom('sessions')
            .select('sessions.id')
            .whereRef('sessions.account_id', '=', 'users.account_id')
            .whereRef('sessions.user_id', '=', 'users.id')
            .where('sessions.network', '=', network)
            .where('sessions.expires_at', '>', Date.now()),
        )
        .as('isKnown'),
    )
    .where('users.password_hash', 'is not', null)
    .clearOrderBy()
    .orderBy('isKnown', 'desc')
    .orderBy('last', 'desc')
    .orderBy('users.id', 'desc')
    .limit(MOST_OFFERED)
    .execute();
}

/**
 * Those whose password it is. `first` of them are verified whether there are as many or not, and the others only when one
 * was right: how long it takes to be wrong is always the same.
 */
async function withPassword(
  candidates: readonly Candidate[],
  password: string,
  { first, whose }: { first: number; whose: string },
): Promise<Candidate[]> {
  const isRight = async (candidate: Candidate | undefined) =>
    (await verifyPassword(candidate?.passwordHash ?? NOBODYS_HASH, password, whose)) && candidate !== undefined;
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
