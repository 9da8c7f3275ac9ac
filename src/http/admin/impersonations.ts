import { partOf } from '../../db/part-of.ts';
import { changeAgencyAccess, getAgencyAccess } from '../../impersonations/agency-access.ts';
import { endImpersonation } from '../../impersonations/end-impersonation.ts';
import { listImpersonations } from '../../impersonations/list-impersonations.ts';
import { startImpersonation } from '../../impersonations/start-impersonation.ts';
import { agencyAccessInput, agencyAccessQuery, signInAsInput } from './contract/impersonations.ts';
import type { AgencyAccessJson, EndedImpersonationJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const PAGE_SIZE = 50;

/** Returns the routes for signing in as a user of a customer, and for the customer's control over that. */
export function impersonationRoutes({ db, config, cookie, onMailQueued }: RouteDependencies): AdminRoute[] {
  return [
    route('POST /admin/customer-people/:id/sign-in', {
      needs: 'manage_customers',
      body: signInAsInput,
      handle: async ({ id: personId, sessionOwner: { accountId, sessionId }, body: { reason }, actor, change }) => {
        const input = { personId, reason, sessionId };
        const token = await change((trx) => startImpersonation(trx, accountId, input, actor, config));
        onMailQueued();
        return emptyResponse(cookie.setActing(token));
      },
    }),
    route('POST /admin/impersonation/end', {
      needs: 'anyone',
      // Switches the browser back to the agency's own session. Nothing else does, not even the timeout: see `setActing`.
      handle: async ({ ctx }) => {
        const token = cookie.readActing(ctx.request);
        const customerId = token === undefined ? undefined : await endImpersonation(db, token, ctx.ip);
        const json: EndedImpersonationJson = { customerId: customerId ?? null };
        return jsonResponse(200, json, token === undefined ? [] : cookie.setActing('over'));
      },
    }),
    route('GET /admin/agency-access', {
      needs: 'manage_users',
      query: agencyAccessQuery,
      handle: async ({ sessionOwner: { accountId }, query: { before } }) => {
        const listed = await listImpersonations(db, accountId, { before, limit: PAGE_SIZE + 1 });
        const { shown: visits, hasMore } = partOf(listed, PAGE_SIZE);
        const access = await getAgencyAccess(db, accountId);
        return jsonResponse(200, { ...access, visits, hasMore } satisfies AgencyAccessJson);
      },
    }),
    route('PATCH /admin/agency-access', {
      needs: 'manage_users',
      body: agencyAccessInput,
      handle: async ({ sessionOwner: { accountId }, body, actor, change }) => {
        await change((trx) => changeAgencyAccess(trx, accountId, body, actor));
        return emptyResponse();
      },
    }),
  ];
}
