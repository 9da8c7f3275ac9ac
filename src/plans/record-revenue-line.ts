import type { Insertable, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { RevenueLinesTable } from '../db/schema.ts';
import type { PlanRow } from './plans.ts';
import { recordPlanRevenue } from './record-plan-revenue.ts';
import { changeRevenue, classifyMovement } from './revenue-movement.ts';
import { continueTotals, NO_NEXT_LINE, totalColumns } from './running-totals.ts';

type Row = Insertable<RevenueLinesTable>;
type RevenueLineRow = Selectable<RevenueLinesTable>;

interface LedgerLine {
  id: number;
  customerId: number;
  kind: string;
  from: PlanRow | null;
  to: PlanRow | null;
  at: number;
}

/**
 * Records what a new line of the ledger does to the recurring revenue, and the seller's totals after it. The transaction has
 * raised the seller's version, so the lines of a seller come one after the other.
 */
export async function recordRevenueLine(trx: Trx, accountId: number, line: LedgerLine): Promise<void> {
  const { customerId } = line;
  const [last] = await findLast(trx, { accountId });
  // A new customer has no lines to look for.
  const [before] = line.kind === 'created' ? [] : await findLastOfCustomer(trx, { accountId, customerId });
  if (before) await endLine(trx, { accountId, lineId: before.line_id, nextLineId: line.id });
  const row = nextRow(accountId, line, before, last);
  await insert(trx, row);
  await recordPlanRevenue(trx, line, before, row);
}

function nextRow(
  accountId: number,
  line: LedgerLine,
  before: RevenueLineRow | undefined,
  last: RevenueLineRow | undefined,
): Row {
  const customer = before && {
    state: before.state,
    annualCents: before.annual_cents,
    hasPaid: before.has_paid === 1,
  };
  const after = changeRevenue(customer, line);
  const movement = classifyMovement(customer, after);
  return {
    line_id: line.id,
    account_id: accountId,
    customer_id: line.customerId,
    first_line_id: before?.first_line_id ?? line.id,
    next_line_id: NO_NEXT_LINE,
    // A clock that was set back does not change the order of the ledger.
    at: Math.max(line.at, last?.at ?? 0),
    has_paid: after.hasPaid ? 1 : 0,
    ...continueTotals(last, before, { state: after.state, annual_cents: after.annualCents, movement }),
  };
}

const columns = [
  ...(['line_id', 'account_id', 'customer_id', 'first_line_id', 'next_line_id', 'at', 'has_paid'] as const),
  ...totalColumns,
];

const insert = prepared<Row, unknown>((db, parameter) =>
  db
    .insertInto('revenue_lines')
    .values(Object.fromEntries(columns.map((column) => [column, parameter(column)])) as unknown as Row),
);

const findLast = prepared<{ accountId: number }, RevenueLineRow>((db, parameter) =>
  db
    .selectFrom('revenue_lines')
    .selectAll()
    .where('account_id', '=', parameter('accountId'))
    .orderBy('at', 'desc')
    .orderBy('line_id', 'desc')
    .limit(sql.lit(1)),
);

const findLastOfCustomer = prepared<{ accountId: number; customerId: number }, RevenueLineRow>((db, parameter) =>
  db
    .selectFrom('revenue_lines')
    .selectAll()
    .where('account_id', '=', parameter('accountId'))
    .where('customer_id', '=', parameter('customerId'))
    .orderBy('line_id', 'desc')
    .limit(sql.lit(1)),
);

const endLine = prepared<{ accountId: number; lineId: number; nextLineId: number }, unknown>((db, parameter) =>
  db
    .updateTable('revenue_lines')
    .set({ next_line_id: parameter('nextLineId') })
    .where('account_id', '=', parameter('accountId'))
    .where('line_id', '=', parameter('lineId')),
);
