import { type Actor, type NamedAuditEvent, recordAuditEvents } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { runTogether } from '../db/run-together.ts';
import type { BrokenRule, FieldError } from '../field-error.ts';
import { firstPagesOf, insertDefaultPages } from '../pages/default-pages.ts';
import { recordPlanChanges } from '../plans/plan-changes.ts';
import { countCustomer, countTrial, listPlans, type PlanRow } from '../plans/plans.ts';
import { raiseCustomersVersion } from '../tenancy/customers-version.ts';
import { createAccounts } from './create-account.ts';
import type { PreparedCustomer } from './create-customer.ts';
import {
  type CustomerSettings,
  findSenderToCustomers,
  mailLoginInstructionsToMany,
  reserveLoginInstructions,
} from './mail-login-instructions.ts';
import { findTakenSubdomains, ownSubdomain } from './subdomain.ts';
import { hasTrial, trialEnds } from './trial.ts';

/** A new customer's id, or why it cannot be created. */
export type CreatedCustomer = { readonly id: number } | { readonly failures: readonly FieldError[] };

/**
 * Creates customers as `createCustomer` does, with one statement for all of them instead of one for each. Leaves out
 * customers that cannot be created. Returns the outcomes in order. Pass a few hundred at most: other transactions wait in
 * the meantime.
 * @throws AppError `not_found`; ValidationError when a subdomain was taken in the meantime, so that a retry helps.
 */
export async function createCustomers(
  trx: Trx,
  accountId: number,
  customers: readonly PreparedCustomer[],
  settings: CustomerSettings,
  by: Actor,
): Promise<CreatedCustomer[]> {
  const seller = { ...(await raiseCustomersVersion(trx, accountId)), id: accountId };
  const failures = new Map<PreparedCustomer, FieldError>();
  const plans = await listPlans(trx, accountId);
  const planOf = ({ planId }: PreparedCustomer) =>
    plans.find((plan) => (planId === undefined ? plan.is_default === 1 : plan.id === planId));
  for (const customer of customers) {
    const problem = planProblem(planOf(customer));
    if (problem) failures.set(customer, { field: 'plan', ...problem });
  }
  const isValid = (customer: PreparedCustomer) => !failures.has(customer);
  const problems = await subdomainProblems(trx, customers.filter(isValid), settings);
  for (const [customer, problem] of problems) failures.set(customer, { field: 'account_subdomain', ...problem });
  const named = customers.filter(isValid);
  const waits = await reserveLoginInstructions(trx, seller, named, settings);
  for (const [index, seconds] of waits.entries()) {
    const failure = { field: 'user_email', code: 'mailed_too_often', params: { seconds } } as const;
    if (seconds > 0) failures.set(named[index]!, failure);
  }

  const trialEndOf = plans.some(hasTrial) ? await trialEnds(trx, accountId) : undefined;
  const accepted = customers.filter(isValid).map((customer) => {
    const plan = planOf(customer)!;
    const trialEndsOn = hasTrial(plan) ? trialEndOf!(plan) : null;
    const language = customer.language ?? seller.language;
    const maxPages = customer.withDefaultPages ? plan.max_pages : 0;
    return {
      ...customer,
      plan,
      language,
      trialEndsOn,
      ...firstPagesOf({ name: customer.accountName, language, maxPages }),
    };
  });
  const inherited = { parentId: accountId, editor: seller.editor };
  const accounts = await createAccounts(
    trx,
    accepted.map(({ plan, ...customer }) => ({ ...customer, ...inherited, planId: plan.id })),
  );
  const created = accepted.map((customer, index) => ({ ...customer, ...accounts[index]! }));
  for (const [plan, { length }] of Map.groupBy(created, ({ plan }) => plan)) {
    await countCustomer(trx, accountId, plan.id, length);
    if (hasTrial(plan)) await countTrial(trx, accountId, plan.id, length);
  }
  const ledger = created.map(({ id, plan }) => ({
    customerId: id,
    kind: 'created' as const,
    from: null,
    to: plan,
    isTrial: hasTrial(plan),
    by,
  }));
  const sites = created.map(({ id, ...site }) => ({ ...site, accountId: id }));
  const events = created.flatMap((customer) => eventsOf(seller, customer, by));
  const sender = await findSenderToCustomers(trx, created);
  // Pages take longest to insert. The messages are written in the meantime.
  await runTogether(trx, [
    () => recordPlanChanges(trx, accountId, ledger),
    () => insertDefaultPages(trx, sites),
    () => mailLoginInstructionsToMany(trx, { ...seller, sender }, created, settings),
    () => recordAuditEvents(trx, events),
  ]);
  const ids = created.values();
  return customers.map((customer) => {
    const failure = failures.get(customer);
    return failure ? { failures: [failure] } : { id: ids.next().value!.id };
  });
}

function planProblem(plan: PlanRow | undefined): BrokenRule | undefined {
  if (!plan) return { code: 'missing' };
  return plan.retired_at === null ? undefined : { code: 'not_included' };
}

/** Returns why customers cannot have their subdomains. If several ask for the same subdomain, the first gets it. */
async function subdomainProblems(
  trx: Trx,
  customers: readonly PreparedCustomer[],
  settings: CustomerSettings,
): Promise<Map<PreparedCustomer, BrokenRule>> {
  const subdomains = customers.map(({ subdomain }) => subdomain);
  const taken = await findTakenSubdomains(trx, subdomains);
  const own = ownSubdomain(settings);
  const problems = new Map<PreparedCustomer, BrokenRule>();
  for (const customer of customers) {
    if (customer.subdomain === own) problems.set(customer, { code: 'reserved' });
    else if (taken.has(customer.subdomain)) problems.set(customer, { code: 'taken' });
    taken.add(customer.subdomain);
  }
  return problems;
}

/** Returns the events of the seller's log and of the customer's log: see `createCustomer`. */
function eventsOf(
  seller: { id: number; name: string },
  { id, accountName: name }: { id: number; accountName: string },
  by: Actor,
): NamedAuditEvent[] {
  const details = { name };
  return [
    {
      accountId: seller.id,
      actor: by,
      event: { action: 'customer.created', subject: `customer_${id}`, details },
    },
    {
      accountId: id,
      actor: { userId: null, name: seller.name, ip: null },
      event: { action: 'account.created', subject: `account_${id}`, details },
    },
  ];
}
