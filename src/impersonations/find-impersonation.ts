import type { Db, Trx } from '../db/database.ts';
import { type Parameter, prepared } from '../db/prepared.ts';
import type { Flag } from '../db/schema.ts';
import { AppError } from '../errors.ts';
import { Refusal } from '../refusal.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { permissionsOf, type Role } from '../users/roles.ts';
import type { SessionOwner } from '../users/sessions.ts';
import { suspended } from '../users/suspended.ts';
import { hashToken } from '../users/token.ts';

/**
 * Returns the user as whom the agency's user acts by the token; undefined if the token does not belong to their session. The
 * token alone is useless: it works only with the session that started the impersonation.
 * @throws AppError `unauthorized` when the impersonation is over. The browser must not silently continue in the agency's own
 * account: changes meant for the customer would be made there.
 */
export async function findImpersonation(db: Db, token: string, agent: SessionOwner): Promise<SessionOwner | undefined> {
  const [row] = await selectByToken(db, { hash: hashToken(token), now: Date.now(), ...pick(agent) });
  if (!row) return undefined;
  if (!isActive(row)) throw impersonationOver();
  const { id, accountId, userId, userName, role, status, personId, agent: name } = row;
  return {
    sessionId: 0,
    userId,
    accountId,
    userName,
    role,
    status,
    lastSeenAt: agent.lastSeenAt,
    impersonation: { id, personId, agent: name! },
  };
}

const pick = ({ accountId, sessionId }: SessionOwner) => ({ agencyId: accountId, sessionId });

/**
 * Locks the customer's account and checks that the impersonation is still active. A change calls this first: an
 * impersonation lasts minutes, and both sides can end it.
 * @throws AppError `unauthorized`, `suspended`, `forbidden`
 */
export async function assertImpersonationActive(trx: Trx, owner: SessionOwner): Promise<void> {
  await lockAccount(trx, owner.accountId);
  await assertStillImpersonating(trx, owner);
}

/**
 * Makes the checks of `assertImpersonationActive` without locking the account: for a read that has waited.
 * @throws AppError `unauthorized`, `suspended`, `forbidden`
 */
export async function assertStillImpersonating(db: Db | Trx, owner: SessionOwner): Promise<void> {
  const { accountId, role, impersonation } = owner;
  const [row] = await selectById(db, { accountId, id: impersonation!.id, now: Date.now() });
  if (!row || !isActive(row)) throw impersonationOver();
  if (row.status === 'suspended') throw await suspended(db, accountId);
  if (row.role !== role) throw new AppError('forbidden', 'The role of the person has just been changed.');
}

function impersonationOver(): Refusal {
  return new Refusal('unauthorized', { reason: 'impersonation_over' });
}

interface Row {
  id: number;
  accountId: number;
  userId: number;
  personId: number;
  agent: string | null;
  /** The name of the user for whom the agency's user acts. */
  userName: string;
  role: Role;
  status: SessionOwner['status'];
  /** True if the impersonation was ended or has expired. */
  isOver: Flag | boolean;
  isDeleted: Flag | boolean;
  /** True if one of the users was removed, the agency was suspended, or the agent's session has ended. */
  isCut: Flag | boolean;
  agentRole: Role;
  isAllowed: Flag | null;
}

function isActive({ isOver, isDeleted, isCut, agentRole, isAllowed }: Row): boolean {
  // Without a row in `agency_access`, access is allowed.
  return !isOver && !isDeleted && !isCut && isAllowed !== 0 && permissionsOf(agentRole).includes('manage_customers');
}

function selectRows<P extends { now: number }>(db: Db, parameter: Parameter<P>) {
  const now = (parameter as Parameter<{ now: number }>)('now');
  return db
    .selectFrom('impersonations as its')
    .innerJoin('accounts as customers', (join) =>
      join.onRef('customers.id', '=', 'its.account_id').onRef('customers.parent_id', '=', 'its.agency_id'),
    )
    .innerJoin('users as people', (join) =>
      join.onRef('people.account_id', '=', 'its.account_id').onRef('people.id', '=', 'its.person_id'),
    )
    .innerJoin('users as acting', (join) =>
      join.onRef('acting.account_id', '=', 'its.account_id').onRef('acting.id', '=', 'its.user_id'),
    )
    .innerJoin('accounts as agencies', 'agencies.id', 'its.agency_id')
    .innerJoin('users as agents', (join) =>
      join.onRef('agents.account_id', '=', 'its.agency_id').onRef('agents.id', '=', 'its.agent_id'),
    )
    .leftJoin('sessions', (join) =>
      join.onRef('sessions.account_id', '=', 'its.agency_id').onRef('sessions.id', '=', 'its.agent_session_id'),
    )
    .leftJoin('agency_access', 'agency_access.account_id', 'its.account_id')
    .select((e) => [
      'its.id',
      'its.account_id as accountId',
      'its.user_id as userId',
      'its.person_id as personId',
      'acting.agent',
      'people.name as userName',
      'people.role',
      'customers.status',
      e.or([e('its.ended_at', 'is not', null), e('its.expires_at', '<=', now)]).as('isOver'),
      e.or([e('customers.deleted_at', 'is not', null), e('customers.deletes_at', 'is not', null)]).as('isDeleted'),
      e
        .or([
          e('people.removed_at', 'is not', null),
          e('agents.removed_at', 'is not', null),
          e('agencies.status', '!=', 'active'),
          e('sessions.id', 'is', null),
          e('sessions.ended_at', 'is not', null),
          e('sessions.expires_at', '<=', now),
        ])
        .as('isCut'),
      'agents.role as agentRole',
      'agency_access.is_allowed as isAllowed',
    ]);
}

const selectByToken = prepared<{ hash: string; agencyId: number; sessionId: number; now: number }, Row>(
  (db, parameter) =>
    selectRows(db, parameter)
      .where('its.token_hash', '=', parameter('hash'))
      .where('its.agency_id', '=', parameter('agencyId'))
      .where('its.agent_session_id', '=', parameter('sessionId')),
);

const selectById = prepared<{ accountId: number; id: number; now: number }, Row>((db, parameter) =>
  selectRows(db, parameter).where('its.account_id', '=', parameter('accountId')).where('its.id', '=', parameter('id')),
);
