import type { SqlBool } from 'kysely';
import type { Db } from '../db/database.ts';
import { argon2Parameters } from './hash-threads.ts';
import { verifyPassword } from './password.ts';
import { type AddressSearch, usersOfAddress } from './users-of-address.ts';

/** A user whose password the entered one may be. SQLite returns the flags as numbers. */
export interface Candidate {
  accountId: number;
  userId: number;
  userName: string;
  passwordHash: string | null;
  subdomain: string;
  name: string;
  status: 'active' | 'suspended';
  /** True if the password was chosen by a link mailed to the address: a person who knows it owns the address. */
  isProved: SqlBool;
  /** True if the user has signed in from this network lately. */
  isKnown: SqlBool;
  /** The id of the latest session. */
  lastSession: number | null;
}

const MAX_CANDIDATES = 30;

/** Returns the users of the address who have a password, in the order of `usersOfAddress`. */
export function findCandidates(db: Db, search: AddressSearch): Promise<Candidate[]> {
  return usersOfAddress(db, search)
    .select((e) => [
      'users.password_hash as passwordHash',
      'accounts.subdomain',
      'accounts.name',
      'accounts.status',
      e
        .selectFrom('sessions')
        .select((s) => s.fn.max('sessions.id').as('id'))
        .whereRef('sessions.account_id', '=', 'users.account_id')
        .whereRef('sessions.user_id', '=', 'users.id')
        .as('lastSession'),
    ])
    .where('users.password_hash', 'is not', null)
    .limit(MAX_CANDIDATES)
    .execute();
}

/**
 * Returns the candidates whose password is the entered one. Computes at least `hashes` hashes, even for fewer candidates, so
 * that the duration does not reveal whether an address is known.
 */
export async function filterByPassword(
  candidates: readonly Candidate[],
  password: string,
  { hashes, fairnessKey }: { hashes: number; fairnessKey: string },
): Promise<Candidate[]> {
  const slots = Array.from({ length: Math.max(hashes, candidates.length) }, (_, index) => candidates[index]);
  const outcomes = await Promise.all(
    slots.map((candidate) => verifyPassword(candidate?.passwordHash ?? dummyHash(), password, fairnessKey)),
  );
  return candidates.filter((_, index) => outcomes[index]);
}

/** Returns a hash that matches no password and has the same parameters as all others. */
function dummyHash(): string {
  const { memoryCost, timeCost, parallelism } = argon2Parameters;
  const parameters = `m=${memoryCost},t=${timeCost},p=${parallelism}`;
  return `$argon2id$v=19$${parameters}$/rxL15RM/puZ3TZzvPldjA$Vt1RzsNE8LeqeKZqoRPly1U+jJp/FSJp3fieKSeeXnU`;
}
