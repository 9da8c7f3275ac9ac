import { getCustomer } from '../../accounts/change-customer.ts';
import { siteUrl } from '../../addresses.ts';
import { getCustomerDetails, kindOf } from '../../customers/get-customer-details.ts';
import { getLoginInstructions } from '../../customers/get-login-instructions.ts';
import { listCustomerEvents } from '../../customers/list-customer-events.ts';
import { resendLoginInstructions } from '../../customers/resend-login-instructions.ts';
import { partOf } from '../../db/part-of.ts';
import { snapshot } from '../../db/snapshot.ts';
import { notFound } from '../../errors.ts';
import { findHomePage } from '../../sites/navigation.ts';
import { customerLogQuery, resendInput } from './contract/customers.ts';
import type { CustomerDetailsJson, CustomerLogJson, CustomerMessageJson, ResentJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { queuePreview } from './previews.ts';
import { documentResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';
import { scheduledChangeJson } from './scheduled-change-json.ts';

const LOG_PAGE_SIZE = 20;

/** Returns the routes for one customer of the account. */
export function oneCustomerRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, config, onMailQueued } = dependencies;
  return [
    route('GET /admin/customers/:id', {
      needs: 'view_customers',
      handle: (request) => show(dependencies, request),
    }),
    route('GET /admin/customers/:id/picture', {
      needs: 'view_customers',
      queue: queuePreview,
      handle: (request) => picture(dependencies, request),
    }),
    route('GET /admin/customers/:id/log', {
      needs: 'view_customers',
      query: customerLogQuery,
      handle: async ({ id: customerId, sessionOwner: { accountId }, query: { before } }) => {
        const events = await listCustomerEvents(db, accountId, { customerId, before, limit: LOG_PAGE_SIZE + 1 });
        const { shown, hasMore } = partOf(events, LOG_PAGE_SIZE);
        return jsonResponse(200, {
          entries: shown.map(({ id, actor, user_id, action, details, at }) => ({
            id,
            actor,
            userId: user_id,
            action,
            at,
            details: JSON.parse(details),
          })),
          hasMore,
        } satisfies CustomerLogJson);
      },
    }),
    route('GET /admin/customer-messages/:id', {
      needs: 'view_customers',
      handle: async ({ id, sessionOwner: { accountId } }) =>
        jsonResponse(200, (await getLoginInstructions(db, accountId, id, config)) satisfies CustomerMessageJson),
    }),
    route('POST /admin/customers/:id/instructions', {
      needs: 'manage_customers',
      body: resendInput,
      handle: async ({ id: customerId, sessionOwner: { accountId }, body, actor, change }) => {
        const input = { customerId, ...body };
        const email = await change((trx) => resendLoginInstructions(trx, accountId, input, actor, config));
        onMailQueued();
        return jsonResponse(200, { email } satisfies ResentJson);
      },
    }),
  ];
}

/** Answers with the home page of the customer's site, as visitors see it. */
async function picture(
  { db, previewSite }: RouteDependencies,
  { ctx, id, sessionOwner: { accountId } }: SignedInRequest,
) {
  const home = await snapshot(db, async (trx) => {
    await getCustomer(trx, accountId, id);
    return findHomePage(trx, id);
  });
  const as = { theme: undefined, accent: undefined, at: undefined, appUrl: ctx.appHost?.url };
  const preview = home && (await previewSite(id, { page: { id: home.id, fields: {} }, ...as }));
  if (!preview) throw notFound('The page');
  return documentResponse(preview.html, preview.policy);
}

async function show({ db, config }: RouteDependencies, { id, sessionOwner: { accountId } }: SignedInRequest) {
  const customer = await snapshot(db, (trx) => getCustomerDetails(trx, accountId, id));
  const { name, subdomain, status, created_at, plan, history, people, linkWorksUntil, mail, domains } = customer;
  const primaryHost = domains.find(({ isPrimary }) => isPrimary)?.host ?? null;
  return jsonResponse(200, {
    id,
    name,
    subdomain,
    status,
    address: siteUrl({ subdomain, primaryHost }, config),
    createdAt: created_at,
    suspensionReason: customer.suspension_reason,
    deletesAt: customer.deletes_at,
    planId: plan.id,
    plan: { name: plan.name, priceCents: plan.price_cents, interval: plan.interval },
    trialEndsOn: customer.trialEndsOn,
    scheduled: scheduledChangeJson(customer.scheduled),
    history: history.map((change) => ({
      kind: kindOf(change),
      isTrial: change.is_trial === 1,
      from: planJson(change.from_plan_name, change.from_price_cents, change.from_interval),
      to: planJson(change.to_plan_name, change.to_price_cents, change.to_interval),
      at: change.created_at,
    })),
    people: people.map(({ id, name, email, role, hasPassword, address_proved_at, hasSignedIn, lastSeenAt }) => ({
      id,
      name,
      email,
      role,
      hasPassword,
      hasSignedIn,
      lastSeenAt,
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
      hasText: message.hasText,
    })),
    domains: domains.map(({ host, verified_at }) => ({ host, isVerified: verified_at !== null })),
    hasPage: customer.hasPage,
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
