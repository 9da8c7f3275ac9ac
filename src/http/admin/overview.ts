import type { Db } from '../../db/database.ts';
import { findFirstSteps } from '../../overview/find-first-steps.ts';
import { type Business, getBusiness } from '../../overview/get-business.ts';
import { listAttention } from '../../overview/list-attention.ts';
import { monthlyDecimal } from '../../plans/money.ts';
import { daysBefore, endOfDay, today } from '../../revenue/days.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import { type Permission, permissionsOf } from '../../users/roles.ts';
import type { OverviewJson, OverviewRevenueJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** After how many days a customer without any sign-in needs attention: a full week has passed only on the eighth day. */
const SIGN_IN_GRACE_DAYS = 8;

/** Returns the routes for the overview: what needs attention, and the state of the business. */
export function overviewRoutes({ db, config }: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/overview', {
      needs: 'view_customers',
      handle: async ({ sessionOwner: { accountId, role } }) =>
        jsonResponse(200, {
          ...(await readOverview(db, accountId, permissionsOf(role))),
          isMailKept: config.smtpUrl === '',
        } satisfies OverviewJson),
    }),
  ];
}

async function readOverview(
  db: Db,
  accountId: number,
  permissions: readonly Permission[],
): Promise<Omit<OverviewJson, 'isMailKept'>> {
  const timeZone = await getTimeZone(db, accountId);
  const day = today(timeZone);
  const neverSignedInCutoff = daysBefore(day, SIGN_IN_GRACE_DAYS);
  const attention = await listAttention(db, accountId, {
    createdBefore: endOfDay(neverSignedInCutoff, timeZone),
    withOwn: permissions.includes('update_settings'),
  });
  const business = await getBusiness(db, accountId, day);
  const { days, start, end } = business;
  const steps = permissions.includes('manage_customers') ? await findFirstSteps(db, accountId) : undefined;
  const active = end.paying + end.free;
  return {
    attention,
    createdUntil: neverSignedInCutoff,
    days,
    customers: { active, change: active - start.paying - start.free },
    revenue: permissions.includes('view_revenue') ? revenueJson(business) : null,
    steps: steps ? { hasPlan: steps.hasPlan, hasCustomer: steps.hasCustomer } : null,
  };
}

function revenueJson({ start, end, movements, months }: Business): OverviewRevenueJson {
  const amounts = Object.entries(movements).map(([kind, { annualCents, count }]) => [kind, { annualCents, count }]);
  return {
    mrr: monthlyDecimal(end.annualCents),
    changeCents: end.annualCents - start.annualCents,
    movements: Object.fromEntries(amounts),
    months: months.map(({ from, annualCents }) => ({ from, annualCents })),
  };
}
