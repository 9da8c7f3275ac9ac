import type { Selectable } from 'kysely';
import type { Actor } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import type { ImpersonationsTable } from '../db/schema.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { hashToken } from '../users/token.ts';
import { recordImpersonation } from './record-impersonation.ts';

/**
 * Ends the token's impersonation, unless it is over already. Returns the customer's id; undefined if there is no such token.
 */
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
    await endImpersonations(trx, { account_id, id }, { agentIp: ip });
  });
  return account_id;
}

type Condition = Partial<
  Pick<Selectable<ImpersonationsTable>, 'id' | 'account_id' | 'agency_id' | 'agent_id' | 'agent_session_id'>
>;

/** Who ends an impersonation: the agency's user, at an IP address, or an actor of the customer. */
type EndedBy = { agentIp: string } | { customer: Actor };

/** Ends the active impersonations that meet the condition, and records each in the logs of both accounts. */
export async function endImpersonations(trx: Trx, condition: Condition, by: EndedBy): Promise<void> {
  const now = Date.now();
  const ended = await trx
    .updateTable('impersonations')
    .set({ ended_at: now })
    .where((e) => e.and(condition))
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['id', 'account_id'])
    .execute();
  for (const { id, account_id } of ended) await recordEnd(trx, account_id, id, by);
}

async function recordEnd(trx: Trx, accountId: number, id: number, by: EndedBy): Promise<void> {
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
  const { personId, personName, agentName, customerName } = names;
  // Each account's log names only its own users with their addresses.
  const actors =
    'customer' in by
      ? { inAgency: { userId: null, name: customerName, ip: null }, inCustomer: by.customer }
      : {
          inAgency: { userId: agent_id, name: agentName, ip: by.agentIp },
          inCustomer: { userId: null, name: agent!, ip: by.agentIp },
        };
  await recordImpersonation(trx, {
    agencyId: agency_id,
    customer: { id: accountId, name: customerName },
    person: { id: personId, name: personName },
    actors,
    change: 'ended',
    reason,
  });
}
