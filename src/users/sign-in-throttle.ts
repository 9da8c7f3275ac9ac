import type { Db, Trx } from '../db/database.ts';
import type { Candidate } from './sign-in-candidates.ts';
import { type AttemptKey, countAttempt, knownKey, networkKeys, resetAttempts, TooManyAttempts } from './throttle.ts';

interface SignInAttempt {
  /** The candidates whose passwords may be verified, because no limit makes them wait. */
  allowed: readonly Candidate[];
  /** Takes back the counts that a success cancels, once it is known whose password was right. */
  settle: (trx: Trx, successful: readonly Candidate[]) => Promise<void>;
}

/**
 * Counts an attempt to sign in as a failure of every candidate, before any password is verified.
 *
 * Candidates who have signed in from this network have their own counts, so that attempts from other networks cannot lock
 * them out. All others share the counts of the address and the network, as does an address without users. A candidate who
 * has to wait is left out if others can be tried. This looks like a wrong password: a stranger must not learn of other
 * users.
 * @throws TooManyAttempts when no candidate's password may be verified.
 */
export async function countSignInAttempt(
  db: Db,
  candidates: readonly Candidate[],
  { email, network, isNamed }: { email: string; network: string; isNamed: boolean },
): Promise<SignInAttempt> {
  const refusals: TooManyAttempts[] = [];
  const count = (keys: readonly AttemptKey[]) => countUnlessClosed(db, keys, refusals);
  const keyOf = ({ userId }: Candidate) => knownKey(network, userId);
  const known = candidates.filter(({ isKnown }) => isKnown);
  const outcomes = await Promise.all(known.map((candidate) => count([keyOf(candidate)])));
  const allowedKnown = known.filter((_, index) => outcomes[index]);

  const addressKey: AttemptKey = { kind: 'address', subject: email };
  const keysOfNetwork = networkKeys(network);
  const unnamedKeys: AttemptKey[] = isNamed ? [] : [{ kind: 'unnamed', subject: keysOfNetwork.at(-1)!.subject }];
  // Without a named account the shared count applies even if all candidates are known. It can be observed from other
  // networks, and must not reveal whether the address has other accounts.
  const areAllKnownClosed = known.length > 0 && known.length === candidates.length && allowedKnown.length === 0;
  const isShared = !areAllKnownClosed && !(isNamed && known.length > 0);
  const isCounted = isShared && (await count([addressKey, ...keysOfNetwork, ...unnamedKeys]));
  const allowed = candidates.filter((candidate) => (candidate.isKnown ? allowedKnown.includes(candidate) : isCounted));
  const [shortest] = refusals.sort((a, b) => a.retryAfter - b.retryAfter);
  if (allowed.length === 0 && shortest) throw shortest;

  const settle = (trx: Trx, successful: readonly Candidate[]) => {
    const [successfulKeys, failedKeys] = [true, false].map((hasSucceeded) =>
      allowedKnown.filter((candidate) => successful.includes(candidate) === hasSucceeded).map(keyOf),
    );
    // Only the owner of the address takes back the guesses at the address's other accounts.
    const isOwner = isNamed || successful.some(({ isProved }) => isProved);
    const decrement = [
      ...(isOwner ? failedKeys! : []),
      ...(isCounted ? keysOfNetwork : []),
      ...(isCounted && isOwner ? [addressKey, ...unnamedKeys] : []),
    ];
    return resetAttempts(trx, { clear: successfulKeys!, decrement });
  };
  return { allowed, settle };
}

async function countUnlessClosed(db: Db, keys: readonly AttemptKey[], refusals: TooManyAttempts[]): Promise<boolean> {
  try {
    await countAttempt(db, keys);
    return true;
  } catch (error) {
    if (!(error instanceof TooManyAttempts)) throw error;
    refusals.push(error);
    return false;
  }
}
