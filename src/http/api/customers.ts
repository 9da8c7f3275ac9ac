import { formatAccountId } from '../../accounts/account.ts';
import { type Addresses, siteUrl } from '../../addresses.ts';
import type { Customer } from '../../customers/customer.ts';
import { readCursor, writeCursor } from '../../customers/customer-cursor.ts';
import type { CustomerFilter } from '../../customers/customer-filter.ts';
import { getCustomerDetails } from '../../customers/get-customer-details.ts';
import { customerSorts, listCustomers } from '../../customers/list-customers.ts';
import { searchCustomers } from '../../customers/search-customers.ts';
import { snapshot } from '../../db/snapshot.ts';
import { AppError } from '../../errors.ts';
import { decimal } from '../../plans/money.ts';
import { planLimits } from '../../tenancy/plan-limits.ts';
import { missing, wrongParameter } from './answers.ts';
import { idInPath } from './ids.ts';
import { countSchema, idSchema, objectSchema, ref, type Schema, textOrNull, textSchema } from './json-schema.ts';
import { partParameters, readLimit } from './list-parts.ts';
import { readOperation } from './operation.ts';
import { oneValue, readId } from './query-parameters.ts';
import { reading } from './reading.ts';
import { accountTime } from './times.ts';

const limits = { otherwise: 50, max: 500 };

export const missingCustomer = missing('The account has no customer with this id.', 'The customer does not exist.');

const orNull = (schema: Schema): Schema => ({ ...schema, type: [String(schema.type), 'null'] });
const day = (description: string) => orNull(textSchema(`${description}; null if there is none.`, '2026-12-01'));

const customerProperties: Readonly<Record<string, Schema>> = {
  id: idSchema('account', "Identifier of the customer's account."),
  name: textSchema('Name of the account.', 'Acme Bakery'),
  subdomain: textSchema("Subdomain of the customer's site.", 'acme-bakery'),
  url: textSchema("Public address of the customer's site.", 'https://acme-bakery.example.com'),
  state: {
    type: 'string',
    enum: ['active', 'suspended'],
    description: 'Whether the customer is suspended.',
    examples: ['active'],
  },
  suspension_reason: textOrNull("Reason for the suspension, which the customer's users see."),
  created_at: textSchema('Creation time.', '2003-04-09 08:56:03 +0000'),
  plan_id: textSchema("Identifier of the customer's plan.", 'plan_3'),
  plan_name: textSchema("Name of the customer's plan.", 'Standard'),
  plan_price: textSchema("Price of the customer's plan. A decimal number.", '19.00'),
  plan_interval: {
    type: 'string',
    enum: ['month', 'quarter', 'year'],
    description: 'How often the price is due.',
    examples: ['month'],
  },
  trial_ends_on: day('First paid day after the current trial'),
  scheduled_plan_id: orNull(textSchema('Identifier of the scheduled plan; null if there is none.', 'plan_4')),
  scheduled_on: day('Day from which the scheduled plan applies'),
};

const usageSchema: Schema = objectSchema({
  used: countSchema('Amount in use.', 4),
  limit: { type: ['integer', 'null'], description: 'Limit of the plan; null if there is no limit.', examples: [10] },
});

export const listCustomersOperation = readOperation('GET /api/customers.json', {
  id: 'listCustomers',
  tag: 'Customers',
  scope: 'customers:read',
  summary: 'List customers',
  description:
    'The customers of the account, newest first, in parts. A part may be short or empty although more customers follow: the list ends when `next` is null.',
  queryParameters: {
    q: textSchema(
      'Finds at most 50 customers, sorted by name, whose name or subdomain begins with this text, or that have a user with this e-mail address, or this domain.',
      'acme',
    ),
    state: { ...textSchema('Only customers in this state.', 'active'), enum: ['active', 'suspended'] },
    plan_id: textSchema('Only customers on this plan.', 'plan_3'),
    sort: { ...textSchema('Sort order; `newest` by default.', 'name'), enum: customerSorts },
    ...partParameters('after', '12-1049878563000', limits),
  },
  answers: [
    { status: 200, schema: 'CustomerList', description: 'The customers.' },
    wrongParameter('"state" must be active or suspended.'),
  ],
  schemas: {
    CustomerList: objectSchema({
      customers: {
        type: 'array',
        items: ref('CustomerAccount'),
        description: 'Sorted by `sort`, or by name with `q`.',
      },
      next: textOrNull('`after` for the next part; null for the last part, and with `q`.'),
    }),
    CustomerAccount: objectSchema(customerProperties),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db, config } }) => {
    const { q, filter, ...input } = readQuery(ctx.query);
    const { customers, next } =
      q === undefined
        ? await listCustomers(db, accountId, { filter, ...input })
        : { ...(await searchCustomers(db, accountId, q, filter)), next: null };
    const list = customers.map((customer) => customerJson(customer, config));
    return { customers: list, next: next && writeCursor(next) };
  }),
});

export const getCustomerOperation = readOperation('GET /api/customers/{id}.json', {
  id: 'getCustomer',
  tag: 'Customers',
  scope: 'customers:read',
  summary: 'Read a customer',
  description: 'One customer, with its users and its usage of the plan.',
  answers: [{ status: 200, schema: 'CustomerAnswer', description: 'The customer.' }, missingCustomer],
  schemas: {
    CustomerAnswer: objectSchema({ customer: ref('CustomerDetails') }),
    CustomerDetails: objectSchema({
      ...customerProperties,
      deletes_on: day('Day on which the customer is deleted for good, in UTC'),
      users: { type: 'array', items: ref('CustomerUser'), description: "The customer's users, oldest first." },
      usage: objectSchema(Object.fromEntries(planLimits.map((limit) => [limit, usageSchema]))),
    }),
    CustomerUser: objectSchema({
      id: textSchema('Identifier of the user.', 'user_5'),
      name: textSchema('Name of the user.', 'Ann Baker'),
      email: textSchema('E-mail address.', 'ann@example.com'),
      role: textSchema('Role in the account.', 'owner'),
      has_signed_in: { type: 'boolean', description: 'Whether the user has ever signed in.', examples: [true] },
    }),
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db, config }, id: text }) => {
    const id = idInPath('account', text);
    const details = await snapshot(db, (trx) => getCustomerDetails(trx, accountId, id));
    const { name, subdomain, status, plan, trialEndsOn, scheduled, people, limits, deletes_at, domains } = details;
    const primaryHost = domains.find(({ isPrimary }) => isPrimary)?.host ?? null;
    const [suspensionReason, createdAt] = [details.suspension_reason, details.created_at];
    const customer = {
      ...customerJson(
        { id, name, subdomain, primaryHost, status, suspensionReason, createdAt, plan, trialEndsOn, scheduled },
        config,
      ),
      deletes_on: deletes_at === null ? null : new Date(deletes_at).toISOString().slice(0, 10),
      users: people.map(({ id, name, email, role, hasSignedIn }) => ({
        id: `user_${id}`,
        name,
        email,
        role,
        has_signed_in: hasSignedIn,
      })),
      usage: limits,
    };
    return { customer };
  }),
});

function customerJson(customer: Customer, addresses: Addresses) {
  const { name, subdomain, status, plan, trialEndsOn, scheduled } = customer;
  // A change that failed waits for the user's decision, and is not reported as scheduled.
  const waiting = scheduled?.failure === null ? scheduled : undefined;
  return {
    id: formatAccountId(customer.id),
    name,
    subdomain,
    url: siteUrl(customer, addresses),
    state: status,
    suspension_reason: customer.suspensionReason,
    created_at: accountTime(customer.createdAt),
    plan_id: `plan_${plan.id}`,
    plan_name: plan.name,
    plan_price: decimal(plan.price_cents),
    plan_interval: plan.interval,
    trial_ends_on: trialEndsOn,
    scheduled_plan_id: waiting ? `plan_${waiting.plan.id}` : null,
    scheduled_on: waiting?.day ?? null,
  };
}

/** @throws AppError `malformed` */
function readQuery(query: string) {
  const [q, state] = [oneValue(query, 'q'), oneValue(query, 'state')];
  if (state !== undefined && state !== 'active' && state !== 'suspended') {
    throw new AppError('malformed', '"state" must be active or suspended.');
  }
  const planId = readId(query, 'plan_id', 'plan');
  const wanted = oneValue(query, 'sort') ?? 'newest';
  const sort = customerSorts.find((known) => known === wanted);
  if (sort === undefined) throw new AppError('malformed', `"sort" must be one of ${customerSorts.join(', ')}.`);
  const limit = readLimit(query, limits);
  const place = oneValue(query, 'after');
  const after = place === undefined ? undefined : readCursor(place, sort);
  const filter: CustomerFilter = { status: state, planId };
  return { q, filter, sort, limit, after };
}
