import { type Expression, sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { limitInIndexOrder, rangeInIndexOrder } from '../db/index-order.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import type { CustomerState, Interval, RevenueMovement } from '../db/schema.ts';
import { selectRevenueLines } from './select-revenue-lines.ts';

/** A line of the ledger of one customer, with what the figures count. */
export interface RevenueCustomer {
  lineId: number;
  /** The customer's first line; 0 in lists of one plan. */
  firstLineId: number;
  customerId: number;
  /** The customer's current name. */
  name: string;
  /** When the customer was deleted for good; null if it has not been. */
  deletedAt: number | null;
  at: number;
  /** The plan, with its name and price at that time; null if the customer is suspended. */
  planName: string | null;
  priceCents: number | null;
  interval: Interval | null;
  /** How many cents the customer pays a year after the line. */
  annualCents: number;
  /** How the line changed these cents. */
  changeCents: number;
}

interface Page {
  /**
   * The last id of the previous page: of a customer in lists of a state, of a line in lists of a movement, of a customer's
   * first line in lists of new customers.
   */
  after: number;
  limit: number;
}

interface StateAt {
  state: CustomerState;
  /** The last line of the ledger at that moment. */
  lineId: number;
  planId?: number | undefined;
}

/**
 * Lists the customers that were in the state after a line of the ledger, by id. Their amounts sum to the total after that
 * line.
 */
export function listCustomersInState(
  db: Db,
  accountId: number,
  { state, lineId, planId }: StateAt,
  { after, limit }: Page,
): Promise<RevenueCustomer[]> {
  const { where, order } = rangeInIndexOrder(db, {
    column: 'lines.state',
    value: state,
    key: 'lines.customer_id',
    after,
  });
  const lines = selectRevenueLines(db, accountId, planId)
    .where(where)
    .where('lines.line_id', '<=', lineId)
    .where('lines.next_line_id', '>', lineId);
  return list(db, accountId, { lines, order, planId, limit });
}

interface MovementRange {
  movement: RevenueMovement;
  /** The last line before the range. */
  start: number;
  end: number;
  planId?: number | undefined;
}

/**
 * Lists the movements of one kind after the line `start` and up to the line `end`, in their order. Their changes sum to the
 * total of that kind.
 */
export function listMovements(
  db: Db,
  accountId: number,
  { movement, start, end, planId }: MovementRange,
  { after, limit }: Page,
): Promise<RevenueCustomer[]> {
  const range = { column: 'lines.movement', value: movement, key: 'lines.line_id', until: end };
  const { where, order } = rangeInIndexOrder(db, { ...range, after: Math.max(start, after) });
  // The index only has lines with a movement.
  const lines = selectRevenueLines(db, accountId, planId).where(where).where('lines.movement', 'is not', null);
  return list(db, accountId, { lines, order, planId, limit });
}

interface CohortRange {
  /** The last line before the range. */
  start: number;
  end: number;
  /** The last line at the moment for which the customers are listed. */
  lineId: number;
  /** True to list active customers only. */
  isActive: boolean;
}

/**
 * Lists the customers that came after the line `start` and up to the line `end`, in this order, in their state after the
 * line `lineId`.
 */
export function listCustomersWhoCame(
  db: Db,
  accountId: number,
  { start, end, lineId, isActive }: CohortRange,
  { after, limit }: Page,
): Promise<RevenueCustomer[]> {
  const lines = selectRevenueLines(db, accountId, undefined)
    .where('lines.first_line_id', '>', Math.max(start, after))
    .where('lines.first_line_id', '<=', end)
    .where('lines.line_id', '<=', lineId)
    .where('lines.next_line_id', '>', lineId)
    .$if(isActive, (query) => query.where('lines.state', '<>', 'inactive'));
  return list(db, accountId, { lines, order: [sql.ref('lines.first_line_id')], planId: undefined, limit });
}

interface Lines {
  lines: ReturnType<typeof selectRevenueLines>;
  order: readonly Expression<unknown>[];
  planId: number | undefined;
  limit: number;
}

/**
 * Reads the first of the lines, and then looks up the rest of each. With a join, PostgreSQL may read the whole ledger up to
 * these lines. The second limit is known to PostgreSQL, so that it expects few of them.
 */
async function list(db: Db, accountId: number, { lines, order, planId, limit }: Lines): Promise<RevenueCustomer[]> {
  const first = lines.selectAll('lines').orderBy(sql.join(order)).limit(limitInIndexOrder(limit));
  const isLine = sql`plan_changes.account_id = ${accountId} and plan_changes.id = lines.line_id`;
  const { rows } = await sql<RevenueCustomer>`
    select lines.line_id as "lineId", ${planId === undefined ? sql.ref('lines.first_line_id') : sql.lit(0)} as "firstLineId",
      lines.customer_id as "customerId", accounts.name, accounts.deleted_at as "deletedAt", lines.at,
      plan_changes.to_plan_name as "planName", plan_changes.to_price_cents as "priceCents",
      plan_changes.to_interval as "interval", lines.annual_cents as "annualCents", lines.change_cents as "changeCents"
    from (${first}) as lines ${lookupJoin(db, 'plan_changes', isLine)}
      ${lookupJoin(db, 'accounts', sql`accounts.id = lines.customer_id`)}
    order by ${sql.join(order)} limit ${limit}`.execute(db);
  return rows;
}
