import type { Db } from '../db/database.ts';

/** Returns the details of an impersonation for the agency's user. `endsIn` is in milliseconds. */
export async function describeImpersonation(
  db: Db,
  accountId: number,
  id: number,
): Promise<{ agent: string; agency: string; reason: string; endsIn: number }> {
  const { agent, expiresAt, ...names } = await db
    .selectFrom('impersonations as its')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'its.account_id').onRef('users.id', '=', 'its.user_id'),
    )
    .innerJoin('accounts as agencies', 'agencies.id', 'its.agency_id')
    .select(['users.agent', 'agencies.name as agency', 'its.reason', 'its.expires_at as expiresAt'])
    .where('its.account_id', '=', accountId)
    .where('its.id', '=', id)
    .executeTakeFirstOrThrow();
  return { agent: agent!, ...names, endsIn: Math.max(0, expiresAt - Date.now()) };
}
