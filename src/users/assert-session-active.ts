import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { AppError } from '../errors.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import type { Role } from './roles.ts';
import type { SessionOwner } from './sessions.ts';
import { suspended } from './suspended.ts';

/**
 * Locks the account and checks that the user is still signed in with the same role and that the account is not suspended. A
 * change calls this first: a request can take minutes to arrive, and may be sent slowly to outlast a removal. With the lock,
 * a transaction that ends the session or changes the role waits. It then also ends what this transaction created, such as
 * keys.
 * @throws AppError `unauthorized`, `suspended`, `forbidden`
 */
export async function assertSessionActive(trx: Trx, owner: SessionOwner): Promise<void> {
  await lockAccount(trx, owner.accountId);
  await assertStillSignedIn(trx, owner);
}

/**
 * Makes the checks of `assertSessionActive` without locking the account: for a read that has waited.
 * @throws AppError `unauthorized`, `suspended`, `forbidden`
 */
export async function assertStillSignedIn(db: Db | Trx, { accountId, sessionId, role }: SessionOwner): Promise<void> {
  const [user] = await selectSessionState(db, { accountId, sessionId });
  if (!user) throw new AppError('unauthorized', 'Sign in first.');
  if (user.status === 'suspended') throw await suspended(db, accountId);
  if (user.role !== role) throw new AppError('forbidden', 'Your role has just been changed.');
}

interface SessionState {
  role: Role;
  status: SessionOwner['status'];
}

const selectSessionState = prepared<{ accountId: number; sessionId: number }, SessionState>((db, parameter) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'sessions.account_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select(['users.role', 'accounts.status'])
    .where('sessions.account_id', '=', parameter('accountId'))
    .where('sessions.id', '=', parameter('sessionId'))
    .where('sessions.ended_at', 'is', null)
    .where('users.removed_at', 'is', null),
);
