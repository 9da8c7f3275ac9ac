import type { CustomerState, Interval, RevenueTotalColumns } from '../db/schema.ts';
import type { Findings } from './findings.ts';

/** The stored revenue row of a ledger line. */
export interface StoredRow extends RevenueTotalColumns {
  line_id: number;
  account_id: number;
  customer_id: number;
  next_line_id: number;
  at: number;
  state: CustomerState;
  annual_cents: number;
}

/** The part of a ledger line that the revenue depends on. */
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

/** Reports the first column in which the stored row differs from the expected one. */
export function reportDifferences(findings: Findings, name: string, stored: object, expected: object): void {
  for (const [column, value] of Object.entries(expected)) {
    const found = (stored as Record<string, unknown>)[column];
    if (found === value) continue;
    findings.add('revenue', `${name}: its ${column.replaceAll('_', ' ')} is ${found}, but should be ${value}.`);
    return;
  }
}

export async function next<R>(rows: AsyncGenerator<R>): Promise<R | undefined> {
  const { value, done } = await rows.next();
  return done ? undefined : value;
}
