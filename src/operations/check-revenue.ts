import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { Interval } from '../db/schema.ts';
import { changeRevenue, classifyMovement } from '../plans/revenue-movement.ts';
import { continueTotals, NO_NEXT_LINE, totalColumns } from '../plans/running-totals.ts';
import type { Findings } from './findings.ts';
import { PlanRevenueCheck } from './plan-revenue-check.ts';
import { readInBatches } from './read-in-batches.ts';
import { type LedgerLine, next, reportDifferences, type StoredRow } from './revenue-rows.ts';

type RevenueRow = StoredRow & { first_line_id: number; has_paid: 0 | 1 };

/**
 * Checks that the revenue lines agree with the ledger and continue the totals of the previous line. Reads the ledger and
 * both revenue tables once, in the order of the ledger. Each line is compared with what follows from the previous stored
 * line, so a wrong line is reported alone, without the lines after it.
 */
export async function checkRevenue(trx: Trx, findings: Findings): Promise<void> {
  const sellers = new Map<number, RevenueRow>();
  const customers = new Map<number, RevenueRow>();
  const plans = new PlanRevenueCheck(trx, findings);
  const rows = readRevenue(trx);
  let row = await next(rows);
  for await (const line of readLedger(trx)) {
    for (; row && row.line_id < line.id; row = await next(rows)) reportOrphan(findings, row);
    if (row?.line_id !== line.id) {
      findings.add('revenue', `line ${line.id} of the ledger has no revenue line.`);
      continue;
    }
    const before = customers.get(line.customer_id);
    const expected = expectedRow(line, before, sellers.get(line.account_id));
    reportDifferences(findings, `line ${line.id} of the ledger`, row, expected);
    if (before && before.next_line_id !== line.id) reportNext(findings, before, line.id);
    await plans.check(line, before, row);
    sellers.set(line.account_id, row);
    customers.set(line.customer_id, row);
    row = await next(rows);
  }
  for (; row; row = await next(rows)) reportOrphan(findings, row);
  for (const last of customers.values()) if (last.next_line_id !== NO_NEXT_LINE) reportNext(findings, last, undefined);
  await plans.finish();
}

function expectedRow(line: LedgerLine, before: RevenueRow | undefined, last: RevenueRow | undefined) {
  const customer = before && {
    state: before.state,
    annualCents: before.annual_cents,
    hasPaid: before.has_paid === 1,
  };
  const after = changeRevenue(customer, {
    from: planOf(line.from_price_cents, line.from_interval),
    to: planOf(line.to_price_cents, line.to_interval),
    isTrial: line.is_trial === 1,
  });
  const movement = classifyMovement(customer, after);
  return {
    account_id: line.account_id,
    customer_id: line.customer_id,
    first_line_id: before?.first_line_id ?? line.id,
    at: Math.max(line.created_at, last?.at ?? 0),
    has_paid: after.hasPaid ? 1 : 0,
    ...continueTotals(last, before, { state: after.state, annual_cents: after.annualCents, movement }),
  };
}

function planOf(price_cents: number | null, interval: Interval | null) {
  return price_cents === null || interval === null ? null : { price_cents, interval };
}

function reportOrphan(findings: Findings, { line_id }: StoredRow): void {
  findings.add('revenue', `revenue line ${line_id} has no line in the ledger.`);
}

function reportNext(findings: Findings, { line_id, next_line_id }: StoredRow, wanted: number | undefined): void {
  const known = next_line_id === NO_NEXT_LINE ? 'no line' : `line ${next_line_id}`;
  const follows = wanted === undefined ? 'no line' : `line ${wanted}`;
  findings.add(
    'revenue',
    `line ${line_id} of the ledger: its customer's next line is recorded as ${known}, but is ${follows}.`,
  );
}

function readLedger(trx: Trx): AsyncGenerator<LedgerLine> {
  return readInBatches<LedgerLine>((after, limit) =>
    trx
      .selectFrom('plan_changes')
      .select(['id', 'account_id', 'customer_id', 'is_trial', 'created_at'])
      .select(['from_plan_id', 'from_price_cents', 'from_interval', 'to_plan_id', 'to_price_cents', 'to_interval'])
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limitInIndexOrder(limit))
      .execute(),
  );
}

const columns = ['line_id', 'account_id', 'customer_id', 'next_line_id', 'at', ...totalColumns] as const;

function readRevenue(trx: Trx): AsyncGenerator<RevenueRow> {
  return readInBatches<RevenueRow>(
    async (after, limit) =>
      (await trx
        .selectFrom('revenue_lines')
        .select([...columns, 'first_line_id', 'has_paid'])
        .where('line_id', '>', after?.line_id ?? 0)
        .orderBy('line_id')
        .limit(limitInIndexOrder(limit))
        .execute()) as unknown as RevenueRow[],
  );
}
