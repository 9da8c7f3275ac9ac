import type { Interval } from '../db/schema.ts';

/** The revenue of one plan: its price in cents and how many customers pay it. */
interface PlanRevenue {
  price_cents: number;
  interval: Interval;
  active_customers: number;
}

/** Decimals with two places, as in the API. */
export interface Revenue {
  monthly: string;
  quarterly: string;
  annual: string;
}

const timesAYear: Record<Interval, bigint> = { month: 12n, quarter: 4n, year: 1n };

/**
 * Returns the revenue of the plans at today's prices. The annual revenue is the exact sum in cents. The quarterly and
 * monthly revenue are a fourth and a twelfth of it, each rounded once, half a cent up.
 */
export function revenue(plans: readonly PlanRevenue[]): Revenue {
  let annual = 0n;
  for (const { price_cents, interval, active_customers } of plans) {
    annual += BigInt(price_cents) * BigInt(active_customers) * timesAYear[interval];
  }
  return { monthly: decimal(divide(annual, 12n)), quarterly: decimal(divide(annual, 4n)), annual: decimal(annual) };
}

/** Returns how many cents a customer of the plan pays a year. */
export function annualCents({ price_cents, interval }: Omit<PlanRevenue, 'active_customers'>): number {
  return price_cents * Number(timesAYear[interval]);
}

/**
 * Returns a twelfth of the annual cents as a decimal, rounded once, half a cent up. With `customers`, returns the average
 * for one of them.
 */
export function monthlyDecimal(annual: number, customers = 1): string {
  const cents = divide(BigInt(Math.abs(annual)), 12n * BigInt(customers));
  return annual < 0 && cents > 0n ? `-${decimal(cents)}` : decimal(cents);
}

/** Formats cents as a decimal: `4900` → `"49.00"`. */
export function decimal(cents: number | bigint): string {
  const digits = cents.toString().padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Like `decimal`, but also for negative amounts: `-4900` → `"-49.00"`. */
export function signedDecimal(cents: number): string {
  return cents < 0 ? `-${decimal(-cents)}` : decimal(cents);
}

/** Parses an amount: `"49"`, `"49.5"` or `"49.00"` → `4900`. Returns undefined for other texts and for more than 9,999,999.99. */
export function parseCents(text: string): number | undefined {
  const parts = /^(\d{1,7})(?:\.(\d{1,2}))?$/.exec(text.trim());
  return parts ? Number(parts[1]) * 100 + Number((parts[2] ?? '').padEnd(2, '0')) : undefined;
}

function divide(cents: bigint, parts: bigint): bigint {
  return (2n * cents + parts) / (2n * parts);
}
