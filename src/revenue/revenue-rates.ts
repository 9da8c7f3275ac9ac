import type { Movements, RevenueTotals } from './revenue-totals.ts';

/** Shares of what was there at the beginning, rounded to four decimals; null if nobody paid at the beginning of any month. */
export interface RevenueRates {
  /** The paying customers that were lost. */
  customerChurn: number | null;
  /** The revenue that was lost with them. */
  revenueChurn: number | null;
  /** The revenue that was kept: without new customers, those that came back, and what others pay more. */
  grossRetention: number | null;
  /** The revenue that was kept, with what customers pay more. */
  netRetention: number | null;
}

interface Month {
  start: Pick<RevenueTotals, 'annualCents' | 'paying'>;
  movements: Movements;
}

/**
 * Returns the rates of successive months. What several months keep is the product of what each keeps, so that a customer
 * that comes later counts from its second month on.
 */
export function compoundRates(months: readonly Month[]): RevenueRates {
  const kept = (start: (month: Month) => number, change: (movements: Movements) => number) =>
    compound(months.map((month) => [start(month), change(month.movements)]));
  const revenue = (change: (movements: Movements) => number) => kept(({ start }) => start.annualCents, change);
  const customers = kept(
    ({ start }) => start.paying,
    ({ churn }) => -churn.count,
  );
  const withoutChurn = revenue(({ churn }) => -churn.annualCents);
  return {
    customerChurn: rounded(customers === null ? null : 1 - customers),
    revenueChurn: rounded(withoutChurn === null ? null : 1 - withoutChurn),
    grossRetention: rounded(revenue(({ churn, contraction }) => -churn.annualCents - contraction.annualCents)),
    netRetention: rounded(
      revenue(
        ({ churn, contraction, expansion }) => expansion.annualCents - churn.annualCents - contraction.annualCents,
      ),
    ),
  };
}

/** Multiplies the shares that are kept. Customers that come and go in one month can make more loss than there was. */
function compound(months: ReadonlyArray<readonly [start: number, change: number]>): number | null {
  const shares = months.filter(([start]) => start > 0).map(([start, change]) => Math.max(0, (start + change) / start));
  return shares.length === 0 ? null : shares.reduce((product, share) => product * share, 1);
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}
