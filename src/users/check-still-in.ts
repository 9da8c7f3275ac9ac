import { dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { AppError } from '../errors.ts';
import { holdPeople } from './hold-people.ts';
import type { Role } from './roles.ts';
import type { SessionOwner } from './sessions.ts';

/**
 * Makes sure, in the transaction of what they do, that whoever began a request is still signed in and still what they
 * were: a request can take minutes to arrive, and may be sent slowly to outlast that.
 * @throws AppError `unauthorized`, `forbidden`
 */
export async function checkStillIn(trx: Trx, { accountId, sessionId, role }: SessionOwner): Promise<void> {
  const [user] = await selectRole(trx, { accountId, sessionId });
  if (!user) throw new AppError('unauthorized', 'Sign in first.');
  if (user.role !== role) throw new AppError('forbidden', 'Your role has just been changed.');
}

/**
 * The same once more, with everybody kept waiting who wants to take either from them, until the transaction ends: for what
 * would have to end with it, such as keys, and for what would give it back. To be done first. On SQLite they wait anyway.
 * @throws AppError `unauthorized`, `forbidden`
 */
export async function holdRole(trx: Trx, owner: SessionOwner): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await holdPeople(trx, owner.accountId);
  await checkStillIn(trx, owner);
}

const selectRole = prepared<{ accountId: number; sessionId: number }, { role: Role }>((db, parameter) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'sessions.account_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .select('users.role')
    .where('sessions.account_id', '=', parameter('accountId'))
    .where('sessions.id', '=', parameter('sessionId'))
    .where('sessions.ended_at', 'is', null)
    .where('users.removed_at', 'is', null),
);
