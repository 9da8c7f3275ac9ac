import { type Selectable, sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { idRows } from '../db/json-list.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import { preparedForEach, preparedInsertMany } from '../db/prepared-rows.ts';
import type { RevenueLinesTable } from '../db/schema.ts';
import type { PlanRow } from './plans.ts';
import { type PlanRevenueChange, recordPlanRevenue } from './record-plan-revenue.ts';
import { changeRevenue, classifyMovement } from './revenue-movement.ts';
import { continueTotals, NO_NEXT_LINE, totalTypes } from './running-totals.ts';

type RevenueLineRow = Selectable<RevenueLinesTable>;

interface LedgerLine {
  id: number;
  customerId: number;
  kind: string;
  from: PlanRow | null;
  to: PlanRow | null;
  isTrial?: boolean;
  at: number;
}

/**
 * Records the effect of new lines of the ledger on the recurring revenue, and the seller's totals after each line. The
 * transaction must have raised the seller's version, so that the lines of one seller are written one after another.
 */
export async function recordRevenueLines(trx: Trx, accountId: number, lines: readonly LedgerLine[]): Promise<void> {
  // A new customer has no earlier lines.
  const known = lines.filter(({ kind }) => kind !== 'created').map(({ customerId }) => customerId);
  const latest = known.length === 0 ? [] : await findLatest(trx, { accountId, customers: JSON.stringify(known) });
  const ofCustomer = new Map(latest.map((row) => [row.customer_id, row]));
  const rows: RevenueLineRow[] = [];
  const ended: LineEnd[] = [];
  const changes: PlanRevenueChange[] = [];
  let [last] = await findLast(trx, { accountId });
  for (const line of lines) {
    const before = ofCustomer.get(line.customerId);
    const row = nextRow(accountId, line, before, last);
    if (before && latest.includes(before)) ended.push({ lineId: before.line_id, nextLineId: line.id });
    else if (before) before.next_line_id = line.id;
    rows.push(row);
    changes.push({ from: line.from, to: line.to, before, line: row });
    ofCustomer.set(line.customerId, row);
    last = row;
  }
  await endLines(trx, ended);
  await insert(trx, rows);
  await recordPlanRevenue(trx, accountId, changes);
}

function nextRow(
  accountId: number,
  line: LedgerLine,
  before: RevenueLineRow | undefined,
  last: RevenueLineRow | undefined,
): RevenueLineRow {
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
    // If the clock was set back, the order of the ledger stays the same.
    at: Math.max(line.at, last?.at ?? 0),
    has_paid: after.hasPaid ? 1 : 0,
    ...continueTotals(last, before, { state: after.state, annual_cents: after.annualCents, movement }),
  };
}

const types = {
  line_id: 'bigint',
  account_id: 'bigint',
  customer_id: 'bigint',
  first_line_id: 'bigint',
  next_line_id: 'bigint',
  at: 'bigint',
  has_paid: 'bigint',
  ...totalTypes,
} as const;
const columns = Object.keys(types) as Array<keyof typeof types>;

const insert = preparedInsertMany('revenue_lines', types);

const findLast = prepared<{ accountId: number }, RevenueLineRow>((db, parameter) =>
  db
    .selectFrom('revenue_lines')
    .select(columns)
    .where('account_id', '=', parameter('accountId'))
    .orderBy('at', 'desc')
    .orderBy('line_id', 'desc')
    .limit(sql.lit(1)),
);

/** Finds the last line of each customer. */
const findLatest = prepared<{ accountId: number; customers: string }, RevenueLineRow>((db, parameter) => {
  const isLatest = sql`revenue_lines.account_id = ${parameter('accountId')} and revenue_lines.customer_id = listed.id
    and revenue_lines.next_line_id = ${sql.lit(NO_NEXT_LINE)}`;
  const selected = sql.join(columns.map((column) => sql.ref(`revenue_lines.${column}`)));
  const lines = sql<RevenueLineRow>`
    select ${selected} from ${idRows(db, parameter('customers'))} ${lookupJoin(db, 'revenue_lines', isLatest)}`;
  return { compile: () => lines.compile(db) };
});

interface LineEnd {
  lineId: number;
  nextLineId: number;
}

/** Sets the next line of lines. Without the array of their ids, PostgreSQL may read the whole ledger to join it. */
const endLines = preparedForEach<LineEnd>(
  (db, parameter) =>
    db
      .updateTable('revenue_lines')
      .set({ next_line_id: parameter('nextLineId') })
      .where('line_id', '=', parameter('lineId')),
  (db, rows) => ({
    compile: () =>
      sql`with ended as materialized (
          select * from json_to_recordset(cast(${rows} as json)) as listed ("lineId" bigint, "nextLineId" bigint)
        )
        update revenue_lines set next_line_id = ended."nextLineId" from ended
        where revenue_lines.line_id = any(array(select "lineId" from ended))
          and revenue_lines.line_id = ended."lineId"`.compile(db),
  }),
);
