import { sql } from 'kysely';
import { domainFailing } from '../customers/customer-filter.ts';
import type { Db } from '../db/database.ts';
import { type Attention, MAX_NAMED } from './attention.ts';

type Found = Omit<Attention, 'kind'>;

const DAY_MS = 86_400_000;
const EXPIRES_SOON_MS = 14 * DAY_MS;

/** Finds the account's own domains that are not verified, or no longer lead visitors here. */
export async function findOwnDomainsFailing(db: Db, accountId: number): Promise<Found> {
  const domains = await db
    .selectFrom('domains')
    .select(['id', 'host as name'])
    .where('account_id', '=', accountId)
    .where(domainFailing)
    .orderBy('id')
    .execute();
  return firstOf(domains);
}

/**
 * Finds the account's API keys that expire within 14 days, in the order of expiry. A rotated key does not count: a later key
 * has its name.
 */
export async function findKeysExpiring(db: Db, accountId: number): Promise<Found> {
  const now = Date.now();
  const keys = await db
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', now + EXPIRES_SOON_MS)
    .where(
      sql<boolean>`not exists (
        select 1 from api_keys as later
        where later.account_id = ${accountId} and later.id > api_keys.id and later.name = api_keys.name
          and later.revoked_at is null
      )`,
    )
    .orderBy('expires_at')
    .orderBy('id')
    .execute();
  return firstOf(keys);
}

function firstOf(all: Found['first']): Found {
  return { count: all.length, first: all.slice(0, MAX_NAMED) };
}
