import type { Movements, RevenueTotals } from './revenue-totals.ts';

/**
 * Shares of the customers or the revenue at the beginning, rounded to four decimals; null if no month began with paying
 * customers.
 */
export interface RevenueRates {
  /** The share of paying customers that was lost. */
  customerChurn: number | null;
  /** The share of revenue that was lost with them. */
  revenueChurn: number | null;
  /** The share of revenue that was kept, without new and returning customers, and without what others pay more. */
  grossRetention: number | null;
  /** The share of revenue that was kept, including what customers pay more. */
  netRetention: number | null;
}

interface Month {
  start: Pick<RevenueTotals, 'annualCents' | 'paying'>;
  movements: Movements;
}

/**
 * Returns the rates of successive months. The share that is kept over several months is the product of the months' shares,
 * so that a customer that comes later counts from its second month on.
 */
export function compoundRates(months: readonly Month[]): RevenueRates {
  const compoundShare = (start: (month: Month) => number, change: (movements: Movements) => number) =>
    compound(months.map((month) => [start(month), change(month.movements)]));
  const revenue = (change: (movements: Movements) => number) => compoundShare(({ start }) => start.annualCents, change);
  const customers = compoundShare(
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

/**
 * Multiplies the shares that are kept. A share is at least 0: customers that come and go within a month can cause a loss
 * above the amount at its start.
 */
function compound(months: ReadonlyArray<readonly [start: number, change: number]>): number | null {
  const shares = months.filter(([start]) => start > 0).map(([start, change]) => Math.max(0, (start + change) / start));
  return shares.length === 0 ? null : shares.reduce((product, share) => product * share, 1);
}

function rounded(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000;
}
