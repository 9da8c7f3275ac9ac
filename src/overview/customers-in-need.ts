import { type RawBuilder, sql } from 'kysely';
import { unindexedSeller } from '../accounts/unindexed-seller.ts';
import { isNotDeleted } from '../customers/customer.ts';
import { type CustomerFilter, conditionsOf, domainFailing } from '../customers/customer-filter.ts';
import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { type Attention, MAX_NAMED } from './attention.ts';

type Found = Omit<Attention, 'kind'>;

/** How many failed messages or failing domains of all accounts are searched, latest first. This takes some 60 ms. */
const MAX_SUSPECTS = 10_000;

/** Finds the active customers that were created before a moment and whose people have never signed in. */
export async function findNeverSignedIn(db: Db, accountId: number, createdBefore: number): Promise<Found> {
  const filter = { status: 'active', neverSignedIn: true, createdBefore } as const;
  const customers = conditionsOf(filter, 'accounts').reduce(
    (query, condition) => query.where(condition),
    db.selectFrom('accounts').where('parent_id', '=', accountId).where(isNotDeleted),
  );
  const { count } = await customers.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  const latest = customers.select(['id', 'name']).orderBy('created_at', 'desc').orderBy('id', 'desc');
  return { count, first: count === 0 ? [] : await latest.limit(limitInIndexOrder(MAX_NAMED)).execute() };
}

/** Finds the active customers whose login instructions could not be sent. */
export function findMailFailed(db: Db, accountId: number): Promise<Found> {
  const failed = sql`select account_id, id from outbox where status = 'failed'`;
  return findSuspects(db, accountId, failed, { status: 'active', neverSignedIn: true, mailFailed: true });
}

/** Finds the active customers that use as much of something as their plan allows, by the service's last count. */
export async function findAtLimit(db: Db, accountId: number): Promise<Found> {
  const customers = db
    .selectFrom('customers_at_limit')
    .innerJoin('accounts', 'accounts.id', 'customers_at_limit.customer_id')
    .where('customers_at_limit.account_id', '=', accountId)
    .where('accounts.status', '=', 'active')
    .where(isNotDeleted);
  const { count } = await customers.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  if (count === 0) return { count, first: [] };
  const first = customers.select(['accounts.id', 'accounts.name']).orderBy('customers_at_limit.customer_id');
  return { count, first: await first.limit(limitInIndexOrder(MAX_NAMED)).execute() };
}

/** Finds the customers whose scheduled change of plan failed. Deleted customers count too, since they may be restored. */
export async function findChangesFailed(db: Db, accountId: number): Promise<Found> {
  const failed = db
    .selectFrom('scheduled_plan_changes as changes')
    .where('changes.account_id', '=', accountId)
    .where('changes.cancelled_at', 'is', null)
    .where('changes.failed_at', 'is not', null);
  const { count } = await failed.select((e) => e.fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
  if (count === 0) return { count, first: [] };
  const first = failed
    .innerJoin('accounts', 'accounts.id', 'changes.customer_id')
    .select(['accounts.id', 'accounts.name'])
    .orderBy('changes.id');
  return { count, first: await first.limit(limitInIndexOrder(MAX_NAMED)).execute() };
}

/** Finds the active customers with a domain that is not verified, or no longer leads visitors here. */
export function findDomainsFailing(db: Db, accountId: number): Promise<Found> {
  const failing = sql`select account_id, id from domains where ${domainFailing}`;
  return findSuspects(db, accountId, failing, { status: 'active', domainFails: true });
}

/**
 * Finds the customers that match the filter among the accounts of the suspects, latest first. Suspects are rows of a small
 * index over all accounts. Few messages fail, so this reads less than a search through all customers.
 */
async function findSuspects(
  db: Db,
  accountId: number,
  suspects: RawBuilder<unknown>,
  filter: CustomerFilter,
): Promise<Found> {
  const { rows } = await sql<{ id: number; name: string; count: number }>`
    select accounts.id, accounts.name, count(*) over () as count
    from (
      select account_id, max(id) as latest
      from (${suspects} order by id desc limit ${limitInIndexOrder(MAX_SUSPECTS)}) as latest_suspects
      group by account_id
    ) as suspects ${lookupJoin(db, 'accounts', sql`accounts.id = suspects.account_id`)}
    where ${unindexedSeller} = ${accountId} and ${isNotDeleted} and ${sql.join(conditionsOf(filter, 'accounts'), sql` and `)}
    order by suspects.latest desc
    limit ${MAX_NAMED}`.execute(db);
  return { count: Number(rows[0]?.count ?? 0), first: rows.map(({ id, name }) => ({ id, name })) };
}
