import { changeAgencyAccess, getAgencyAccess } from '../../impersonations/agency-access.ts';
import { endImpersonation } from '../../impersonations/end-impersonation.ts';
import { listImpersonations } from '../../impersonations/list-impersonations.ts';
import { startImpersonation } from '../../impersonations/start-impersonation.ts';
import { agencyAccessInput, agencyAccessQuery, signInAsInput } from './contract/impersonations.ts';
import type { AgencyAccessJson, EndedImpersonationJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRequest, type AdminRoute, type NoInput, route, type SignedInRequest } from './route.ts';

const PAGE_SIZE = 50;

/** Signing in as a person of a customer, and what a customer sees and allows of it. */
export function impersonationRoutes(dependencies: RouteDependencies): AdminRoute[] {
  return [
    route({
      method: 'POST',
      path: '/admin/customer-people/:id/sign-in',
      needs: 'manage_customers',
      body: signInAsInput,
      handle: (request) => start(dependencies, request),
    }),
    {
      method: 'POST',
      path: '/admin/impersonation/end',
      needs: 'anyone',
      handle: (request) => end(dependencies, request),
    },
    route({
      method: 'GET',
      path: '/admin/agency-access',
      needs: 'manage_users',
      query: agencyAccessQuery,
      handle: (request) => show(dependencies, request),
    }),
    route({
      method: 'PATCH',
      path: '/admin/agency-access',
      needs: 'manage_users',
      body: agencyAccessInput,
      handle: async ({ caller: { accountId }, body, actor, change }) => {
        await change((trx) => changeAgencyAccess(trx, accountId, body, actor));
        return emptyResponse();
      },
    }),
  ];
}

async function start(
  { cookie, config, onMailQueued }: RouteDependencies,
  { id: personId, caller, body: { reason }, actor, change }: SignedInRequest<typeof signInAsInput>,
) {
  const { accountId, sessionId } = caller;
  const input = { personId, reason, sessionId };
  const token = await change((trx) => startImpersonation(trx, accountId, input, actor, config));
  onMailQueued();
  return emptyResponse(cookie.setActing(token));
}

/** Brings the browser back to the agency's own session. It is done on purpose only: see `cookie.ts`. */
async function end({ db, cookie }: RouteDependencies, { ctx }: AdminRequest) {
  const token = cookie.readActing(ctx.request);
  const customerId = token === undefined ? undefined : await endImpersonation(db, token, ctx.ip);
  const json: EndedImpersonationJson = { customerId: customerId ?? null };
  return jsonResponse(200, json, token === undefined ? [] : cookie.setActing('over'));
}

async function show(
  { db }: RouteDependencies,
  { caller: { accountId }, query: { before } }: SignedInRequest<NoInput, typeof agencyAccessQuery>,
) {
  const listed = await listImpersonations(db, accountId, { before, limit: PAGE_SIZE + 1 });
  return jsonResponse(200, {
    ...(await getAgencyAccess(db, accountId)),
    visits: listed.slice(0, PAGE_SIZE),
    hasMore: listed.length > PAGE_SIZE,
  } satisfies AgencyAccessJson);
}
