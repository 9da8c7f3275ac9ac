import { createCustomer } from '../../accounts/create-customer.ts';
import { prepareInvitedCustomer } from '../../accounts/prepare-invited-customer.ts';
import { findSubdomainProblem, normalSubdomain } from '../../accounts/subdomain.ts';
import { siteUrl } from '../../addresses.ts';
import { findJustCreated } from '../../customers/find-just-created.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import { createCustomerInput, subdomainQuery } from './contract/customers.ts';
import type { CreatedCustomerJson, SubdomainJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

/** Routes that create a customer. */
export function newCustomerRoutes(dependencies: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'POST',
      path: '/admin/customers',
      needs: 'manage_customers',
      body: createCustomerInput,
      handle: (request) => create(dependencies, request),
    }),
    route({
      method: 'GET',
      path: '/admin/customers/subdomain',
      needs: 'manage_customers',
      query: subdomainQuery,
      handle: (request) => checkSubdomain(dependencies, request),
    }),
  ];
}

async function create(
  { db, config, onMailQueued }: RouteDependencies,
  { caller: { accountId }, body, actor, change }: SignedInRequest<typeof createCustomerInput>,
) {
  const { name: accountName, subdomain, userName, email: userEmail, planId, language } = body;
  const values = { accountName, subdomain, userName, userEmail };
  try {
    const customer = await prepareInvitedCustomer(db, accountId, { ...values, planId, language });
    const id = await change((trx) => createCustomer(trx, accountId, customer, config, actor));
    onMailQueued();
    return jsonResponse(201, { id } satisfies CreatedCustomerJson);
  } catch (error) {
    const problem = inForm(error);
    if (!(problem instanceof ValidationError)) throw problem;
    const id = await findJustCreated(db, accountId, values);
    if (id === undefined) throw problem;
    return jsonResponse(200, { id } satisfies CreatedCustomerJson);
  }
}

/** The fields of the form by their names in the API. */
const fieldNames: Readonly<Record<string, string>> = {
  account_name: 'name',
  account_subdomain: 'subdomain',
  user_name: 'userName',
  user_email: 'email',
};

/** Returns the error with the names that the form's fields have. */
function inForm(error: unknown): unknown {
  if (error instanceof ValidationError) {
    return new ValidationError(
      error.fields.map((broken) => ({ ...broken, field: fieldNames[broken.field] ?? broken.field })),
    );
  }
  // The plan has been retired or removed since the form was opened.
  const isRetired = error instanceof Refusal && error.why.reason === 'plan_retired';
  const isGone = error instanceof AppError && error.code === 'not_found';
  if (!isRetired && !isGone) return error;
  return new ValidationError([{ field: 'planId', code: 'not_included' }]);
}

async function checkSubdomain(
  { db, config }: RouteDependencies,
  { query: { subdomain: typed } }: SignedInRequest<NoInput, typeof subdomainQuery>,
) {
  const subdomain = normalSubdomain(typed);
  const problem = await findSubdomainProblem(db, subdomain, config);
  return jsonResponse(200, {
    address: problem ? null : siteUrl({ subdomain, primaryHost: null }, config),
    problem: problem ? { field: 'subdomain', ...problem } : null,
  } satisfies SubdomainJson);
}
