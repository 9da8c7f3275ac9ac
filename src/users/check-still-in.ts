import type { Trx } from '../db/database.ts';
import { holdAccount } from '../db/hold-account.ts';
import { prepared } from '../db/prepared.ts';
import { AppError } from '../errors.ts';
import type { Role } from './roles.ts';
import type { SessionOwner } from './sessions.ts';

/**
 * Makes sure, in the transaction of what they do, that whoever began a request is still signed in and still what they
 * were: a request can take minutes to arrive, and may be sent slowly to outlast that. Whoever wants to take either from
 * them waits until the transaction ends, so that what would have to end with it, such as keys, is not made after it.
 * To be done first: it locks the account.
 * @throws AppError `unauthorized`, `forbidden`
 */
export async function checkStillIn(trx: Trx, { accountId, sessionId, role }: SessionOwner): Promise<void> {
  await holdAccount(trx, accountId);
  const [user] = await selectRole(trx, { accountId, sessionId });
  if (!user) throw new AppError('unauthorized', 'Sign in first.');
  if (user.role !== role) throw new AppError('forbidden', 'Your role has just been changed.');
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
