import type { Db, Trx } from '../db/database.ts';
import { latestFirst, limitInIndexOrder } from '../db/index-order.ts';

export interface ListedImpersonation {
  id: number;
  /** The name of the agency's user and of the agency: `Ana (Acme Agency)`. */
  agent: string;
  /** The name of the account's user. */
  person: string;
  reason: string;
  startedAt: number;
  /** The time at which it ended, or at which it ends at the latest. */
  endsAt: number;
}

/** Returns the sign-ins of agency users to the account, the latest first. */
export async function listImpersonations(
  db: Db | Trx,
  accountId: number,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<ListedImpersonation[]> {
  const latest = latestFirst(db, 'impersonations', accountId, before);
  const rows = await db
    .selectFrom('impersonations')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'impersonations.account_id').onRef('users.id', '=', 'impersonations.user_id'),
    )
    .select(['impersonations.id', 'users.agent', 'users.name as person', 'reason'])
    .select(['started_at as startedAt', 'expires_at as expiresAt', 'ended_at as endedAt'])
    .where(latest.where)
    .orderBy(latest.account, 'desc')
    .orderBy(latest.id, 'desc')
    .limit(limitInIndexOrder(limit))
    .execute();
  return rows.map(({ id, agent, person, reason, startedAt, expiresAt, endedAt }) => ({
    id,
    agent: agent!,
    person,
    reason,
    startedAt,
    endsAt: endedAt ?? expiresAt,
  }));
}
