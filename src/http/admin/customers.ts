import { siteUrl } from '../../addresses.ts';
import { countActiveCustomers } from '../../customers/count-active-customers.ts';
import type { Customer } from '../../customers/customer.ts';
import { listCustomers } from '../../customers/list-customers.ts';
import { searchCustomers } from '../../customers/search-customers.ts';
import { customersQuery } from './contract/customers.ts';
import type { CustomerJson, CustomersJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

const PAGE_SIZE = 50;

/** The customers of the account. */
export function customerRoutes(dependencies: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/customers',
      needs: 'view_customers',
      query: customersQuery,
      handle: (request) => list(dependencies, request),
    }),
  ];
}

async function list(
  { db, config }: RouteDependencies,
  { caller: { accountId }, query: { before, q } }: SignedInRequest<NoInput, typeof customersQuery>,
) {
  const { customers, hasMore } =
    q === undefined
      ? await listCustomers(db, accountId, { before, limit: PAGE_SIZE })
      : await searchCustomers(db, accountId, q);
  const customerJson = (customer: Customer): CustomerJson => ({
    id: customer.id,
    name: customer.name,
    subdomain: customer.subdomain,
    address: siteUrl(customer, config),
    status: customer.status,
    createdAt: customer.createdAt,
    plan: { name: customer.plan.name, priceCents: customer.plan.price_cents, interval: customer.plan.interval },
  });
  const active = await countActiveCustomers(db, accountId);
  return jsonResponse(200, { customers: customers.map(customerJson), hasMore, active } satisfies CustomersJson);
}
