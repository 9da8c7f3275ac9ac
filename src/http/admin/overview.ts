import { listAttention } from '../../overview/list-attention.ts';
import { daysBefore, endOfDay, today } from '../../revenue/days.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import { permissionsOf } from '../../users/roles.ts';
import type { OverviewJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

/** Whole days after its creation, until a customer of whom nobody has signed in needs somebody: a week has passed on the eighth. */
const PATIENCE_DAYS = 8;

/** What an account's customers need, at a glance. */
export function overviewRoutes({ db }: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/overview',
      needs: 'view_customers',
      handle: async ({ caller: { accountId, role } }) => {
        const timeZone = await getTimeZone(db, accountId);
        const createdUntil = daysBefore(today(timeZone), PATIENCE_DAYS);
        const attention = await listAttention(db, accountId, {
          createdBefore: endOfDay(createdUntil, timeZone),
          withOwn: permissionsOf(role).includes('update_settings'),
        });
        return jsonResponse(200, { attention, createdUntil } satisfies OverviewJson);
      },
    }),
  ];
}
