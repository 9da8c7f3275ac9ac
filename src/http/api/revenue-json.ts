import { decimal, monthlyDecimal, signedDecimal } from '../../plans/money.ts';
import { revenueMovements } from '../../plans/revenue-movement.ts';
import type { RevenuePeriod } from '../../revenue/revenue-report.ts';
import type { RevenueTotals } from '../../revenue/revenue-totals.ts';
import { countSchema, objectSchema, ref, type Schema, textSchema } from './json-schema.ts';

/*
 * Schemas that the revenue reports share. Amounts are decimals in the currency of the account's prices.
 */

export const daySchema = (description: string, example: string): Schema => ({
  ...textSchema(description, example),
  format: 'date',
});

/** The properties of an amount of revenue. */
export const amountProperties = {
  monthly_revenue: textSchema('A twelfth of the year. A decimal number.', '588.00'),
  annual_revenue: textSchema('Exact amount for a year. A decimal number.', '7056.00'),
} as const;

const rateSchema = (description: string): Schema => ({
  type: ['number', 'null'],
  description: `${description} 0.05 is 5 %; null if nobody paid at the beginning.`,
  examples: [0.05],
});

export const periodProperties = {
  from: daySchema('The first day.', '2026-06-01'),
  to: daySchema('The last day.', '2026-06-30'),
  start: ref('RevenueTotals'),
  end: ref('RevenueTotals'),
  movements: ref('RevenueMovements'),
  rates: ref('RevenueRates'),
} as const;

export const periodSchemas = {
  RevenuePeriod: objectSchema(periodProperties),
  RevenueTotals: objectSchema({
    ...amountProperties,
    paying_customers_count: countSchema('Number of active customers whose plan has a price.'),
    free_customers_count: countSchema('Number of active customers whose plan is free, or who are in their trial.', 30),
  }),
  RevenueMovements: objectSchema(
    Object.fromEntries(revenueMovements.map((movement) => [movement, ref('RevenueMovement')])),
  ),
  RevenueMovement: objectSchema({
    ...amountProperties,
    count: countSchema('Number of movements of this kind.'),
  }),
  RevenueRates: objectSchema({
    customer_churn: rateSchema('The share of the paying customers who stopped paying.'),
    revenue_churn: rateSchema('The share of the revenue that was lost.'),
    gross_retention: rateSchema('The share of the revenue that stayed, without expansion.'),
    net_retention: rateSchema('The share of the revenue that stayed, with expansion.'),
  }),
} as const;

export function periodJson({ from, to, start, end, movements, rates }: RevenuePeriod) {
  const moved = revenueMovements.map((kind) => {
    const { annualCents, count } = movements[kind];
    return [kind, { ...amountJson(annualCents), count }];
  });
  return {
    from,
    to,
    start: totalsJson(start),
    end: totalsJson(end),
    movements: Object.fromEntries(moved),
    rates: {
      customer_churn: rates.customerChurn,
      revenue_churn: rates.revenueChurn,
      gross_retention: rates.grossRetention,
      net_retention: rates.netRetention,
    },
  };
}

export function totalsJson({ annualCents, paying, free }: RevenueTotals) {
  return { ...amountJson(annualCents), paying_customers_count: paying, free_customers_count: free };
}

export function amountJson(annualCents: number) {
  return { monthly_revenue: monthlyDecimal(annualCents), annual_revenue: signedDecimal(annualCents) };
}

export function priceOrNull(cents: number | null): string | null {
  return cents === null ? null : decimal(cents);
}
