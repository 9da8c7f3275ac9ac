import { siteUrl } from '../../addresses.ts';
import { getCustomerDetails } from '../../customers/get-customer-details.ts';
import { resendLoginInstructions } from '../../customers/resend-login-instructions.ts';
import { snapshot } from '../../db/snapshot.ts';
import { resendInput } from './contract/customers.ts';
import type { CustomerDetailsJson, ResentJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';
import { scheduledChangeJson } from './scheduled-change-json.ts';

/** One customer of the account. */
export function oneCustomerRoutes(dependencies: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'GET',
      path: '/admin/customers/:id',
      needs: 'view_customers',
      handle: (request) => show(dependencies, request),
    }),
    route({
      method: 'POST',
      path: '/admin/customers/:id/instructions',
      needs: 'manage_customers',
      body: resendInput,
      handle: (request) => resend(dependencies, request),
    }),
  ];
}

async function resend(
  { config, onMailQueued }: RouteDependencies,
  { id, caller: { accountId }, body: { email }, actor, change }: SignedInRequest<typeof resendInput>,
) {
  const input = { customerId: id, email };
  const to = await change((trx) => resendLoginInstructions(trx, accountId, input, actor, config));
  onMailQueued();
  return jsonResponse(200, { email: to } satisfies ResentJson);
}

async function show({ db, config }: RouteDependencies, { id, caller: { accountId } }: SignedInRequest) {
  const customer = await snapshot(db, (trx) => getCustomerDetails(trx, accountId, id));
  const { name, subdomain, status, created_at, plan, history, people, linkWorksUntil, mail, domains } = customer;
  const primaryHost = domains.find(({ isPrimary }) => isPrimary)?.host ?? null;
  return jsonResponse(200, {
    ...{ id, name, subdomain, status },
    address: siteUrl({ subdomain, primaryHost }, config),
    createdAt: created_at,
    suspensionReason: customer.suspension_reason,
    deletesAt: customer.deletes_at,
    planId: plan.id,
    plan: { name: plan.name, priceCents: plan.price_cents, interval: plan.interval },
    scheduled: scheduledChangeJson(customer.scheduled),
    history: history.map((change) => ({
      kind: change.kind,
      from: planJson(change.from_plan_name, change.from_price_cents, change.from_interval),
      to: planJson(change.to_plan_name, change.to_price_cents, change.to_interval),
      at: change.created_at,
    })),
    people: people.map(({ id, name, email, role, hasPassword, address_proved_at, hasSignedIn, lastSeenAt }) => ({
      ...{ id, name, email, role, hasPassword, hasSignedIn, lastSeenAt },
      openedLinkAt: address_proved_at,
    })),
    linkWorksUntil,
    mail: mail.map((message) => ({
      id: message.id,
      to: message.to_email,
      subject: message.subject,
      status: message.status,
      attempts: message.attempts,
      lastError: message.last_error,
      createdAt: message.created_at,
      sentAt: message.sent_at,
    })),
    domains: domains.map(({ host, verified_at }) => ({ host, isVerified: verified_at !== null })),
    limits: customer.limits,
    isSignInAllowed: customer.isSignInAllowed,
    visits: customer.visits,
  } satisfies CustomerDetailsJson);
}

type PlanJson = CustomerDetailsJson['history'][number]['from'];

function planJson(
  name: string | null,
  priceCents: number | null,
  interval: NonNullable<PlanJson>['interval'] | null,
): PlanJson {
  return name === null || priceCents === null || interval === null ? null : { name, priceCents, interval };
}
