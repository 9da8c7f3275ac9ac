import { sql } from 'kysely';
import { nameKey } from '../accounts/name-key.ts';
import { unindexedSeller } from '../accounts/unindexed-seller.ts';
import { type Db, dialectOf } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { type Customer, isNotDeleted, selectCustomers, withPlans } from './customer.ts';
import { type CustomerFilter, conditionsOf } from './customer-filter.ts';
import { MAX_SCANNED } from './list-customers.ts';

/** The most customers that each part of a search finds, and that a search returns in total. */
const MAX_FOUND = 50;

/** The character that sorts after all others. */
const LAST = '\u{10ffff}';

/**
 * Returns the account's customers that match the filter and whose name or subdomain begins with the text, or that have a
 * user with this mail address, or this domain. Returns 50 at most, by name. Ignores case and accents of names.
 */
export async function searchCustomers(
  db: Db,
  accountId: number,
  text: string,
  filter: CustomerFilter = {},
): Promise<{ customers: Customer[]; hasMore: boolean }> {
  const wanted = nameKey(text);
  // No name contains a NUL, and PostgreSQL accepts none.
  if (wanted === '' || text.includes('\0')) return { customers: [], hasMore: false };
  const subdomain = text.trim().toLowerCase();
  const [byName, bySubdomain, byAddress, byDomain] = await Promise.all([
    findByPrefix(db, accountId, { column: 'name_key', wanted, filter }),
    findByPrefix(db, accountId, { column: 'subdomain', wanted: subdomain, filter }),
    findByUserEmail(db, accountId, subdomain),
    findByDomain(db, accountId, subdomain),
  ]);
  const ids = [...new Set([...byName.ids, ...bySubdomain.ids, ...byAddress, ...byDomain])];
  const isCut = byName.isCut || bySubdomain.isCut;
  if (ids.length === 0) return { customers: [], hasMore: isCut };
  const rows = await conditionsOf(filter, 'accounts')
    .reduce((query, condition) => query.where(condition), selectCustomers(db))
    .where(unindexedSeller, '=', accountId)
    .where('accounts.id', 'in', ids)
    .orderBy('accounts.name_key')
    .orderBy('accounts.id')
    .execute();
  return {
    customers: await withPlans(db, accountId, rows.slice(0, MAX_FOUND)),
    hasMore: isCut || rows.length > MAX_FOUND,
  };
}

interface PrefixSearch {
  column: 'name_key' | 'subdomain';
  wanted: string;
  filter: CustomerFilter;
}

/**
 * Returns the customers whose column begins with the text and that match the filter. `isCut` is true if more customers begin
 * with the text than were checked against the filter.
 */
async function findByPrefix(
  db: Db,
  accountId: number,
  { column, wanted, filter }: PrefixSearch,
): Promise<{ ids: number[]; isCut: boolean }> {
  // PostgreSQL orders subdomains by the rules of a language, unless told otherwise.
  const key =
    dialectOf(db) === 'sqlite' ? sql<string>`${sql.ref(column)}` : sql<string>`${sql.ref(column)} collate "C"`;
  const conditions = conditionsOf(filter, 'scanned');
  const matching = db
    .selectFrom('accounts')
    .select(['id', key.as('key'), 'created_at', 'status', 'plan_id', 'signed_in_at'])
    .where('parent_id', '=', accountId)
    .where(isNotDeleted)
    .where(key, '>=', wanted)
    .where(key, '<', wanted + LAST)
    .orderBy(key);
  const maxScanned = conditions.length === 0 ? MAX_FOUND + 1 : MAX_SCANNED;
  const rows = await conditions
    .reduce(
      (query, condition) => query.where(condition),
      db.selectFrom(matching.limit(limitInIndexOrder(maxScanned)).as('scanned')).select('id'),
    )
    .orderBy('key')
    .limit(MAX_FOUND + 1)
    .execute();
  const isCut =
    conditions.length > 0 &&
    (await matching.offset(MAX_SCANNED).limit(limitInIndexOrder(1)).executeTakeFirst()) !== undefined;
  return { ids: rows.map(({ id }) => id), isCut };
}

async function findByUserEmail(db: Db, accountId: number, address: string): Promise<number[]> {
  if (!address.includes('@')) return [];
  const rows = await db
    .selectFrom('users')
    .innerJoin('accounts', 'accounts.id', 'users.account_id')
    .select('accounts.id')
    .where('users.email_key', '=', address)
    .where(unindexedSeller, '=', accountId)
    .where(isNotDeleted)
    .limit(MAX_FOUND + 1)
    .execute();
  return rows.map(({ id }) => id);
}

async function findByDomain(db: Db, accountId: number, host: string): Promise<number[]> {
  if (!host.includes('.')) return [];
  const rows = await db
    .selectFrom('domains')
    .innerJoin('accounts', 'accounts.id', 'domains.account_id')
    .select('accounts.id')
    .where('domains.host', '=', host)
    .where(unindexedSeller, '=', accountId)
    .where(isNotDeleted)
    .execute();
  return rows.map(({ id }) => id);
}
