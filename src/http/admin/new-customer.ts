import { createCustomer, type PreparedCustomer } from '../../accounts/create-customer.ts';
import { createCustomerFromSite } from '../../accounts/create-customer-from-site.ts';
import { prepareInvitedCustomer } from '../../accounts/prepare-invited-customer.ts';
import { findSubdomainProblem, normalSubdomain } from '../../accounts/subdomain.ts';
import { type Addresses, siteUrl } from '../../addresses.ts';
import { findJustCreated } from '../../customers/find-just-created.ts';
import type { Db } from '../../db/database.ts';
import { AppError, ValidationError } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import { readSite, readTemplate, type SiteToCopy } from '../../templates/read-site.ts';
import { type CreateCustomerInput, createCustomerInput, subdomainQuery } from './contract/customers.ts';
import type { CreatedCustomerJson, SubdomainJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';

/** Returns the routes that create a customer. */
export function newCustomerRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, config } = dependencies;
  return [
    route('POST /admin/customers', {
      needs: 'manage_customers',
      body: createCustomerInput,
      handle: (request) => create(dependencies, request),
    }),
    route('GET /admin/customers/subdomain', {
      needs: 'manage_customers',
      query: subdomainQuery,
      handle: async ({ query }) => {
        const subdomain = normalSubdomain(query.subdomain);
        const problem = await findSubdomainProblem(db, subdomain, config);
        return jsonResponse(200, {
          address: problem ? null : siteUrl({ subdomain, primaryHost: null }, config),
          problem: problem ? { field: 'subdomain', ...problem } : null,
        } satisfies SubdomainJson);
      },
    }),
  ];
}

async function create(
  { db, config, store, onMailQueued }: RouteDependencies,
  { sessionOwner: { accountId }, body, actor, change }: SignedInRequest<typeof createCustomerInput>,
) {
  const { name: accountName, subdomain, userName, email: userEmail, planId, language } = body;
  const values = { accountName, subdomain, userName, userEmail };
  try {
    const customer = await prepareInvitedCustomer(db, accountId, { ...values, planId, language });
    const commit = (complete: PreparedCustomer) =>
      change((trx) => createCustomer(trx, accountId, complete, config, actor));
    const site = await findSiteToCopy(db, accountId, body, config);
    const id = site
      ? await createCustomerFromSite({ db, store, config }, customer, site, commit)
      : await commit(customer);
    onMailQueued();
    return jsonResponse(201, { id } satisfies CreatedCustomerJson);
  } catch (error) {
    const problem = withFormFieldNames(error);
    if (!(problem instanceof ValidationError)) throw problem;
    const id = await findJustCreated(db, accountId, values);
    if (id === undefined) throw problem;
    return jsonResponse(200, { id } satisfies CreatedCustomerJson);
  }
}

/** Returns the site that the new site is copied from; undefined if it starts with default pages. */
async function findSiteToCopy(
  db: Db,
  accountId: number,
  { templateId, siteId }: CreateCustomerInput,
  addresses: Addresses,
): Promise<SiteToCopy | undefined> {
  const read = templateId === undefined ? readSite : readTemplate;
  const id = templateId ?? siteId;
  if (id === undefined) return undefined;
  return read(db, accountId, id, addresses).catch((error: unknown) => {
    // The template was retired, or the site was deleted, since the form was opened.
    const isGone = error instanceof AppError && error.code === 'not_found';
    const isRetired = error instanceof Refusal && error.why.reason === 'template_retired';
    throw isGone || isRetired ? new ValidationError([{ field: 'start', code: 'not_included' }]) : error;
  });
}

/** The names of the form's fields by their names in the API. */
const fieldNames: Readonly<Record<string, string>> = {
  account_name: 'name',
  account_subdomain: 'subdomain',
  user_name: 'userName',
  user_email: 'email',
  // An error of `plan` means that the copied site exceeds the plan's limits.
  plan: 'planId',
};

/** Returns the error with the names of the form's fields. */
function withFormFieldNames(error: unknown): unknown {
  if (error instanceof ValidationError) {
    return new ValidationError(
      error.fields.map((broken) => ({ ...broken, field: fieldNames[broken.field] ?? broken.field })),
    );
  }
  // The plan was retired or deleted since the form was opened.
  const isRetired = error instanceof Refusal && error.why.reason === 'plan_retired';
  const isGone = error instanceof AppError && error.code === 'not_found';
  if (!isRetired && !isGone) return error;
  return new ValidationError([{ field: 'planId', code: 'not_included' }]);
}
