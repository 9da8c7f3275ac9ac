import { type SqlBool, sql } from 'kysely';

/**
 * The condition that a key is the account's own, or that its seller may use it. The seller may if the account allows it
 * (`AgencyAccess`), the seller is not suspended, and the role of the user to whom the key was issued may issue keys. The key
 * works again once all of this holds again.
 */
export const agencyMayUse = sql<SqlBool>`(api_keys.agency_id is null or (
  not exists (select 1 from agency_access where account_id = api_keys.account_id and is_allowed = 0)
  and exists (
    select 1 from users as agents join accounts as agencies on agencies.id = agents.account_id
    where agents.account_id = api_keys.agency_id and agents.id = api_keys.agent_id
      and agents.removed_at is null and agents.role in ('admin', 'owner') and agencies.status = 'active')))`;
