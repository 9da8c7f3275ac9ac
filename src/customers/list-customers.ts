import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { type Customer, isNotDeleted, selectCustomers, withPlans } from './customer.ts';
import { type CustomerFilter, conditionsOf } from './customer-filter.ts';

export const customerSorts = ['newest', 'oldest', 'name'] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** The position of a customer in the order of the list. */
export interface CustomerCursor {
  key: number | string;
  id: number;
}

export interface CustomerListInput {
  filter: CustomerFilter;
  sort: CustomerSort;
  /** The position after which the list continues. */
  after?: CustomerCursor | undefined;
  limit: number;
}

/** The most customers that one call checks against a filter, so that no call takes long. */
export const MAX_SCANNED = 5000;

/**
 * Returns a page of the account's customers that match the filter. `next` is the position after which the list continues;
 * null at the end. A page may be short or empty before the end: a filter that few customers match is not checked for all
 * customers in one call.
 */
export async function listCustomers(
  db: Db,
  accountId: number,
  { limit, ...input }: CustomerListInput,
): Promise<{ customers: Customer[]; next: CustomerCursor | null }> {
  const conditions = conditionsOf(input.filter, 'scanned');
  const maxScanned = conditions.length === 0 ? limit + 1 : MAX_SCANNED;
  const scanned = scan(db, accountId, input);
  const found = await conditions
    .reduce(
      (query, condition) => query.where(condition),
      db.selectFrom(scanned.limit(limitInIndexOrder(maxScanned)).as('scanned')).select(['id', 'key']),
    )
    .orderBy('key', directionOf(input.sort))
    .orderBy('id', directionOf(input.sort))
    .limit(limit + 1)
    .execute();
  const shown = found.slice(0, limit);
  const last = scanned.offset(maxScanned - 1).limit(limitInIndexOrder(1));
  const next = found.length > limit ? shown.at(-1) : conditions.length > 0 ? await last.executeTakeFirst() : undefined;
  return { customers: await inOrder(db, accountId, shown), next: next ? { key: next.key, id: next.id } : null };
}

/** Selects the columns of the customers that the indexes contain, in the order of the list. */
function scan(db: Db, accountId: number, { filter, sort, after }: Omit<CustomerListInput, 'limit'>) {
  const key = sql.ref<number | string>(sort === 'name' ? 'name_key' : 'created_at');
  const { createdFrom = 0, createdBefore = Number.MAX_SAFE_INTEGER } = filter;
  const start = { name: '', newest: createdBefore, oldest: createdFrom }[sort];
  const position = sql`(${after?.key ?? start}, ${after?.id ?? 0})`;
  const ends: Record<CustomerSort, RawBuilder<SqlBool> | undefined> = {
    name: undefined,
    newest: sql<SqlBool>`created_at >= ${createdFrom}`,
    oldest: sql<SqlBool>`created_at < ${createdBefore}`,
  };
  const end = ends[sort];
  return db
    .selectFrom('accounts')
    .select(['id', key.as('key'), 'created_at', 'status', 'plan_id', 'signed_in_at'])
    .where('parent_id', '=', accountId)
    .where(isNotDeleted)
    .where(sort === 'newest' ? sql<SqlBool>`(${key}, id) < ${position}` : sql<SqlBool>`(${key}, id) > ${position}`)
    .$if(end !== undefined, (query) => query.where(end!))
    .orderBy(key, directionOf(sort))
    .orderBy('id', directionOf(sort));
}

function directionOf(sort: CustomerSort): 'asc' | 'desc' {
  return sort === 'newest' ? 'desc' : 'asc';
}

async function inOrder(db: Db, accountId: number, found: readonly { id: number }[]): Promise<Customer[]> {
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  const rows = await selectCustomers(db).where('accounts.id', 'in', ids).execute();
  const byId = new Map((await withPlans(db, accountId, rows)).map((customer) => [customer.id, customer]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
