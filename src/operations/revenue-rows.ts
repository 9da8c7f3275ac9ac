import type { CustomerState, Interval, RevenueTotalColumns } from '../db/schema.ts';
import type { Findings } from './findings.ts';

/** The revenue line of a line of the ledger, as it is stored. */
export interface StoredRow extends RevenueTotalColumns {
  line_id: number;
  account_id: number;
  customer_id: number;
  next_line_id: number;
  at: number;
  state: CustomerState;
  annual_cents: number;
}

/** A line of the ledger, as far as the revenue follows from it. */
export interface LedgerLine {
  id: number;
  account_id: number;
  customer_id: number;
  from_plan_id: number | null;
  from_price_cents: number | null;
  from_interval: Interval | null;
  to_plan_id: number | null;
  to_price_cents: number | null;
  to_interval: Interval | null;
  is_trial: 0 | 1;
  created_at: number;
}

/** Reports the first column in which the stored row differs. */
export function reportDifferences(findings: Findings, name: string, stored: object, expected: object): void {
  for (const [column, value] of Object.entries(expected)) {
    const found = (stored as Record<string, unknown>)[column];
    if (found === value) continue;
    findings.add('revenue', `${name}: its ${column.replaceAll('_', ' ')} is ${found}, but should be ${value}.`);
    return;
  }
}

/** Returns the next row of a stream; undefined at its end. */
export async function next<R>(rows: AsyncGenerator<R>): Promise<R | undefined> {
  const { value, done } = await rows.next();
  return done ? undefined : value;
}
