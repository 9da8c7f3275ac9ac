import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { CustomerState, Interval, RevenueMovement } from '../db/schema.ts';

/** One customer's line of the ledger, as far as a figure counts it. */
export interface RevenueCustomer {
  lineId: number;
  customerId: number;
  /** The customer's present name. */
  name: string;
  at: number;
  /** The plan, with its name and price at that time; null once the customer is suspended. */
  planName: string | null;
  priceCents: number | null;
  interval: Interval | null;
  /** What the customer pays a year after the line. */
  annualCents: number;
  /** How the line changed that. */
  changeCents: number;
}

interface Page {
  /** The last id of the page before: a customer's in lists of a state, a line's in lists of a movement. */
  after: number;
  limit: number;
}

/** Lists the customers that were in the state after the ledger's line `lineId`, by id. Their amounts sum to the total there. */
export function listCustomersInState(
  db: Db,
  accountId: number,
  { state, lineId }: { state: CustomerState; lineId: number },
  { after, limit }: Page,
): Promise<RevenueCustomer[]> {
  return select(db, accountId)
    .where('revenue_lines.state', '=', state)
    .where('revenue_lines.customer_id', '>', after)
    .where('revenue_lines.line_id', '<=', lineId)
    .where('revenue_lines.next_line_id', '>', lineId)
    .orderBy('revenue_lines.customer_id')
    .limit(limitInIndexOrder(limit))
    .execute();
}

/** Lists the movements of one kind after the line `start` up to the line `end`, in their order. Their changes sum to its total. */
export function listMovements(
  db: Db,
  accountId: number,
  { movement, start, end }: { movement: RevenueMovement; start: number; end: number },
  { after, limit }: Page,
): Promise<RevenueCustomer[]> {
  return select(db, accountId)
    .where('revenue_lines.movement', '=', movement)
    .where('revenue_lines.line_id', '>', Math.max(start, after))
    .where('revenue_lines.line_id', '<=', end)
    .orderBy('revenue_lines.line_id')
    .limit(limitInIndexOrder(limit))
    .execute();
}

function select(db: Db, accountId: number) {
  return db
    .selectFrom('revenue_lines')
    .innerJoin('plan_changes', 'plan_changes.id', 'revenue_lines.line_id')
    .innerJoin('accounts', 'accounts.id', 'revenue_lines.customer_id')
    .select([
      'revenue_lines.line_id as lineId',
      'revenue_lines.customer_id as customerId',
      'accounts.name',
      'revenue_lines.at',
      'plan_changes.to_plan_name as planName',
      'plan_changes.to_price_cents as priceCents',
      'plan_changes.to_interval as interval',
      'revenue_lines.annual_cents as annualCents',
      'revenue_lines.change_cents as changeCents',
    ])
    .where('revenue_lines.account_id', '=', accountId);
}
