import type { CustomerFilter } from '../../customers/customer-filter.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { endOfDay, isDay, startOfDay } from '../../revenue/days.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import type { CustomerFilterQuery } from './contract/customers.ts';

/** Returns the filter that the query of a request describes. @throws AppError `malformed` for a day that does not exist */
export async function readCustomerFilter(
  db: Db,
  accountId: number,
  { plan, template, state, signedIn, mail, domain, usage, change, from, to }: CustomerFilterQuery,
): Promise<CustomerFilter> {
  const filter: CustomerFilter = {
    planId: plan,
    templateId: template,
    status: state,
    neverSignedIn: signedIn === 'never',
    mailFailed: mail === 'failed',
    domainFails: domain === 'failing',
    isAtLimit: usage === 'full',
    scheduled: change,
  };
  if (from === undefined && to === undefined) return filter;
  if (from !== undefined && !isDay(from)) throw new AppError('malformed', '"from" must be a day like 2026-06-30.');
  if (to !== undefined && !isDay(to)) throw new AppError('malformed', '"to" must be a day like 2026-06-30.');
  const timeZone = await getTimeZone(db, accountId);
  return {
    ...filter,
    createdFrom: from === undefined ? undefined : startOfDay(from, timeZone),
    createdBefore: to === undefined ? undefined : endOfDay(to, timeZone),
  };
}
