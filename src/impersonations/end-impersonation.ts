import type { Db, Trx } from '../db/database.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { hashToken } from '../users/token.ts';
import { recordImpersonation } from './start-impersonation.ts';

/** Ends the impersonation of the token, which may be over. Returns the customer; undefined if there is no such token. */
export async function endImpersonation(db: Db, token: string, ip: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('impersonations')
    .select(['id', 'account_id', 'agency_id'])
    .where('token_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (!found) return undefined;
  const { id, account_id, agency_id } = found;
  await db.transaction().execute(async (trx) => {
    await lockAccount(trx, agency_id);
    await lockAccount(trx, account_id);
    await end(trx, account_id, id, ip);
  });
  return account_id;
}

async function end(trx: Trx, accountId: number, id: number, ip: string): Promise<void> {
  const now = Date.now();
  const ended = await trx
    .updateTable('impersonations')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .executeTakeFirst();
  if (!ended) return;
  const { agency_id, agent_id, agent, reason, ...names } = await trx
    .selectFrom('impersonations as its')
    .innerJoin('users as people', (join) =>
      join.onRef('people.account_id', '=', 'its.account_id').onRef('people.id', '=', 'its.person_id'),
    )
    .innerJoin('users as acting', (join) =>
      join.onRef('acting.account_id', '=', 'its.account_id').onRef('acting.id', '=', 'its.user_id'),
    )
    .innerJoin('users as agents', (join) =>
      join.onRef('agents.account_id', '=', 'its.agency_id').onRef('agents.id', '=', 'its.agent_id'),
    )
    .innerJoin('accounts', 'accounts.id', 'its.account_id')
    .select(['its.agency_id', 'its.agent_id', 'its.person_id as personId', 'its.reason', 'acting.agent'])
    .select(['people.name as personName', 'agents.name as agentName', 'accounts.name as customerName'])
    .where('its.account_id', '=', accountId)
    .where('its.id', '=', id)
    .executeTakeFirstOrThrow();
  await recordImpersonation(trx, {
    accountId: agency_id,
    customer: { id: accountId, name: names.customerName },
    person: { id: names.personId, name: names.personName },
    agent: agent!,
    by: { userId: agent_id, name: names.agentName, ip },
    change: 'ended',
    reason,
  });
}
