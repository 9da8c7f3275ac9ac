import { monthlyDecimal } from '../../plans/money.ts';
import { revenueMovements } from '../../plans/revenue-movement.ts';
import type { Cohort } from '../../revenue/get-cohorts.ts';
import type { PlanRevenue } from '../../revenue/get-revenue-by-plan.ts';
import type { RevenueCustomer } from '../../revenue/list-figure-customers.ts';
import type { RevenuePeriod } from '../../revenue/revenue-report.ts';
import type { RevenueTotals } from '../../revenue/revenue-totals.ts';
import type {
  CohortJson,
  PlanRevenueJson,
  RevenueCustomerJson,
  RevenuePeriodJson,
  RevenueTotalsJson,
} from './contract.ts';

export function periodJson({ from, to, start, end, movements, rates }: RevenuePeriod): RevenuePeriodJson {
  const amounts = revenueMovements.map((kind) => {
    const { annualCents, count } = movements[kind];
    return [kind, { ...amountJson(annualCents), count }];
  });
  const { customerChurn, revenueChurn, grossRetention, netRetention } = rates;
  return {
    from,
    to,
    start: totalsJson(start),
    end: totalsJson(end),
    movements: Object.fromEntries(amounts),
    rates: { customerChurn, revenueChurn, grossRetention, netRetention },
  };
}

export function planJson({ planId, name, start, end }: PlanRevenue): PlanRevenueJson {
  return { planId, name, start: totalsJson(start), end: totalsJson(end) };
}

export function cohortJson({ from, to, count, activeCount, annualCents }: Cohort): CohortJson {
  return { from, to, came: count, stayed: activeCount, ...amountJson(annualCents) };
}

function totalsJson({ annualCents, paying, free }: RevenueTotals): RevenueTotalsJson {
  const mrrPerPaying = paying === 0 ? null : monthlyDecimal(annualCents, paying);
  return { ...amountJson(annualCents), paying, free, mrrPerPaying };
}

export function amountJson(annualCents: number) {
  return { annualCents, mrr: monthlyDecimal(annualCents) };
}

export function customerJson(line: RevenueCustomer): RevenueCustomerJson {
  const { customerId, name, deletedAt, at, planName, priceCents, interval, annualCents, changeCents } = line;
  const plan =
    planName === null || priceCents === null || interval === null ? null : { name: planName, priceCents, interval };
  return { customerId, name, isDeleted: deletedAt !== null, at, plan, annualCents, changeCents };
}
