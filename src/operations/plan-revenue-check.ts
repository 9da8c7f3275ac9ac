import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { RevenueMovement } from '../db/schema.ts';
import { continueTotals, NO_NEXT_LINE, totalColumns } from '../plans/running-totals.ts';
import type { Findings } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';
import { type LedgerLine, next, reportDifferences, type StoredRow } from './revenue-rows.ts';

type PlanRow = StoredRow & { plan_id: number };
type State = Pick<StoredRow, 'state' | 'annual_cents'>;

const absent: State = { state: 'inactive', annual_cents: 0 };

/**
 * Checks the revenue of each plan while the ledger is read. A line has a row for the plan the customer leaves, and a row
 * for the new plan.
 */
export class PlanRevenueCheck {
  readonly #rows: AsyncGenerator<PlanRow>;
  readonly #findings: Findings;
  /** The last row of each plan. `#customers` has the last row of each customer on each plan. */
  readonly #plans = new Map<number, PlanRow>();
  readonly #customers = new Map<string, PlanRow>();
  #row: PlanRow | undefined;
  #hasBegun = false;

  constructor(trx: Trx, findings: Findings) {
    this.#rows = readRows(trx);
    this.#findings = findings;
  }

  /** Checks the rows of one ledger line. `revenue` is the line's revenue row, and `before` the customer's previous one. */
  async check(line: LedgerLine, before: State | undefined, revenue: StoredRow & { movement?: unknown }): Promise<void> {
    if (!this.#hasBegun) await this.#read();
    while (this.#row && this.#row.line_id < line.id) await this.#reportOrphan();
    const stored = new Map<number, PlanRow>();
    for (; this.#row?.line_id === line.id; await this.#read()) stored.set(this.#row.plan_id, this.#row);
    const left = before && before.state !== 'inactive' ? line.from_plan_id : null;
    const entered = revenue.state !== 'inactive' ? line.to_plan_id : null;
    const movement = (revenue.movement ?? null) as RevenueMovement | null;
    if (left !== null) this.#compare(line, stored, left, before!, left === entered ? revenue : absent, movement);
    if (entered !== null && entered !== left) this.#compare(line, stored, entered, absent, revenue, movement);
    for (const planId of stored.keys()) {
      this.#findings.add(
        'revenue',
        `line ${line.id} of the ledger has a row for plan_${planId}, which the line does not affect.`,
      );
    }
  }

  /** Checks that no rows are left over, and that no customer's last row names a next row. */
  async finish(): Promise<void> {
    if (!this.#hasBegun) await this.#read();
    while (this.#row) await this.#reportOrphan();
    for (const row of this.#customers.values()) this.#checkNext(row, NO_NEXT_LINE);
  }

  #compare(
    line: LedgerLine,
    stored: Map<number, PlanRow>,
    planId: number,
    before: State,
    { state, annual_cents }: State,
    movement: RevenueMovement | null,
  ): void {
    const row = stored.get(planId);
    const name = `line ${line.id} of the ledger, for plan_${planId}`;
    if (!row) {
      this.#findings.add('revenue', `${name}: the row is missing.`);
      return;
    }
    stored.delete(planId);
    const own = movementOfPlan(annual_cents - before.annual_cents, movement);
    const totals = continueTotals(this.#plans.get(planId), before, { state, annual_cents, movement: own });
    reportDifferences(this.#findings, name, row, { customer_id: line.customer_id, ...totals });
    const key = `${planId} ${line.customer_id}`;
    const last = this.#customers.get(key);
    if (last) this.#checkNext(last, line.id);
    this.#plans.set(planId, row);
    this.#customers.set(key, row);
  }

  #checkNext({ line_id, plan_id, next_line_id }: PlanRow, wanted: number): void {
    if (next_line_id === wanted) return;
    this.#findings.add(
      'revenue',
      `line ${line_id} of the ledger, for plan_${plan_id}: the recorded next line is wrong.`,
    );
  }

  async #reportOrphan(): Promise<void> {
    const { line_id, plan_id } = this.#row!;
    this.#findings.add('revenue', `revenue line ${line_id} of plan_${plan_id} has no line in the ledger.`);
    await this.#read();
  }

  async #read(): Promise<void> {
    this.#hasBegun = true;
    this.#row = await next(this.#rows);
  }
}

/**
 * Returns the movement within one plan. A customer who changes between two paid plans expands the new plan and contracts
 * the old one.
 */
function movementOfPlan(change: number, movement: RevenueMovement | null): RevenueMovement | null {
  if (change === 0) return null;
  if (movement === 'new' || movement === 'churn' || movement === 'reactivation') return movement;
  return change > 0 ? 'expansion' : 'contraction';
}

function readRows(trx: Trx): AsyncGenerator<PlanRow> {
  return readInBatches<PlanRow>(
    async (after, limit) =>
      (await trx
        .selectFrom('plan_revenue_lines')
        .select(['line_id', 'plan_id', 'account_id', 'customer_id', 'next_line_id', 'at', ...totalColumns])
        .where((e) => e(e.refTuple('line_id', 'plan_id'), '>', e.tuple(after?.line_id ?? 0, after?.plan_id ?? 0)))
        .orderBy('line_id')
        .orderBy('plan_id')
        .limit(limitInIndexOrder(limit))
        .execute()) as unknown as PlanRow[],
  );
}
