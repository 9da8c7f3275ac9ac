import { siteUrl } from '../../addresses.ts';
import { countActiveCustomers } from '../../customers/count-active-customers.ts';
import type { Customer } from '../../customers/customer.ts';
import { readCursor, writeCursor } from '../../customers/customer-cursor.ts';
import type { CustomerFilter } from '../../customers/customer-filter.ts';
import { type CsvCustomer, customersCsv } from '../../customers/customers-csv.ts';
import { type CustomerListInput, listCustomers } from '../../customers/list-customers.ts';
import { readAllCustomers } from '../../customers/read-all-customers.ts';
import { searchCustomers } from '../../customers/search-customers.ts';
import type { Db } from '../../db/database.ts';
import { getCurrency } from '../../plans/get-currency.ts';
import { today } from '../../revenue/days.ts';
import { getTimeZone } from '../../revenue/get-time-zone.ts';
import { customersCsvQuery, customersQuery } from './contract/customers.ts';
import type { CustomerJson, CustomersJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { readCustomerFilter } from './read-customer-filter.ts';
import { csvResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';
import { scheduledChangeJson } from './scheduled-change-json.ts';

const MAX_PAGE_SIZE = 500;

/** Returns the routes for the list of the account's customers. */
export function customerRoutes(dependencies: RouteDependencies): AdminRoute[] {
  return [
    route('GET /admin/customers', {
      needs: 'view_customers',
      query: customersQuery,
      handle: (request) => list(dependencies, request),
    }),
    route('GET /admin/customers.csv', {
      needs: 'view_customers',
      query: customersCsvQuery,
      handle: (request) => saveAsCsv(dependencies, request),
    }),
  ];
}

async function list(
  { db, config }: RouteDependencies,
  { sessionOwner: { accountId }, query }: SignedInRequest<NoInput, typeof customersQuery>,
) {
  const { q, sort } = query;
  const filter = await readCustomerFilter(db, accountId, query);
  const after = query.after === undefined ? undefined : readCursor(query.after, sort);
  const { customers, next, hasMore } =
    q === undefined
      ? await listPart(db, accountId, { filter, sort, after, limit: Math.min(query.limit || 1, MAX_PAGE_SIZE) })
      : { ...(await searchCustomers(db, accountId, q, filter)), next: null };
  const customerJson = (customer: Customer): CustomerJson => ({
    id: customer.id,
    name: customer.name,
    subdomain: customer.subdomain,
    address: siteUrl(customer, config),
    status: customer.status,
    suspensionReason: customer.suspensionReason,
    createdAt: customer.createdAt,
    planId: customer.plan.id,
    plan: { name: customer.plan.name, priceCents: customer.plan.price_cents, interval: customer.plan.interval },
    trialEndsOn: customer.trialEndsOn,
    scheduled: scheduledChangeJson(customer.scheduled),
  });
  const active = await countActiveCustomers(db, accountId);
  return jsonResponse(200, {
    customers: customers.map(customerJson),
    next: next && writeCursor(next),
    hasMore,
    active,
  } satisfies CustomersJson);
}

async function saveAsCsv(
  { db, config }: RouteDependencies,
  { sessionOwner, query }: SignedInRequest<NoInput, typeof customersCsvQuery>,
) {
  const { accountId } = sessionOwner;
  const { q, sort } = query;
  const filter = await readCustomerFilter(db, accountId, query);
  const parts =
    q === undefined ? readAllCustomers(db, accountId, { filter, sort }) : searched(db, accountId, { q, filter });
  const currency = await getCurrency(db, accountId);
  const csvCustomer = ({ plan, ...customer }: Customer): CsvCustomer => ({
    ...customer,
    currency,
    address: siteUrl(customer, config),
    planName: plan.name,
    planPriceCents: plan.price_cents,
    planInterval: plan.interval,
  });
  const fileName = `customers-${today(await getTimeZone(db, accountId))}.csv`;
  return csvResponse({ db, sessionOwner }, fileName, customersCsv(parts, csvCustomer));
}

async function* searched(db: Db, accountId: number, { q, filter }: { q: string; filter: CustomerFilter }) {
  yield (await searchCustomers(db, accountId, q, filter)).customers;
}

async function listPart(db: Db, accountId: number, input: CustomerListInput) {
  const part = await listCustomers(db, accountId, input);
  return { ...part, hasMore: part.next !== null };
}
