import { hasCustomers } from '../../customers/has-customers.ts';
import type { Db } from '../../db/database.ts';
import { describeImpersonation } from '../../impersonations/describe-impersonation.ts';
import { findSellerName } from '../../impersonations/find-seller-name.ts';
import { findFirstScreen } from '../../overview/first-screen.ts';
import { endOwnSessions, endSession, signOut } from '../../users/end-sessions.ts';
import { getUser } from '../../users/get-user.ts';
import { permissionsOf } from '../../users/roles.ts';
import { hasSecondFactor } from '../../users/second-factor.ts';
import { listSessions } from '../../users/sessions.ts';
import { signIn } from '../../users/sign-in.ts';
import { signInInput } from './contract/signing-in.ts';
import type { ListedSessionJson, SessionJson, SignedInJson, SignInJson } from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route, type SignedInRequest } from './route.ts';
import { readAccount } from './settings.ts';
import { clientInfoOf, permissionsWhileImpersonating } from './signed-in.ts';

/** Returns the routes for signing in and out, and for the sessions of the signed-in user. */
export function sessionRoutes(dependencies: RouteDependencies): AdminRoute[] {
  const { db, cookie } = dependencies;
  return [
    route('POST /admin/sign-in', {
      needs: 'anyone',
      body: signInInput,
      handle: async ({ ctx, body }) => {
        const input = { ...body, clientInfo: clientInfoOf(ctx), previous: cookie.read(ctx.request) };
        const outcome = await signIn(db, input);
        if ('choose' in outcome) return jsonResponse(200, outcome satisfies SignInJson);
        return jsonResponse(200, await signedInJson(db, outcome.token), cookie.set(outcome.token));
      },
    }),
    route('POST /admin/sign-out', {
      needs: 'anyone',
      handle: async ({ ctx }) => {
        const token = cookie.read(ctx.request);
        if (token !== undefined) await signOut(db, token, ctx.ip);
        return emptyResponse(cookie.clear());
      },
    }),
    route('POST /admin/sign-out-everywhere', {
      needs: 'session',
      handle: async ({ sessionOwner: { accountId }, actor, change }) => {
        await change((trx) => endOwnSessions(trx, accountId, actor));
        return emptyResponse(cookie.clear());
      },
    }),
    route('GET /admin/session', {
      needs: 'session',
      impersonation: 'allowed',
      handle: (request) => show(dependencies, request),
    }),
    route('GET /admin/sessions', {
      needs: 'session',
      handle: async ({ sessionOwner: { accountId, userId, sessionId } }) => {
        const rows = await listSessions(db, accountId, userId);
        const sessions: ListedSessionJson[] = rows.map((row) => ({
          id: row.id,
          isCurrent: row.id === sessionId,
          createdAt: row.created_at,
          lastSeenAt: row.last_seen_at,
          ip: row.ip,
          userAgent: row.user_agent,
        }));
        return jsonResponse(200, { sessions });
      },
    }),
    route('DELETE /admin/sessions/:id', {
      needs: 'session',
      handle: async ({ id, sessionOwner: { accountId, sessionId }, actor, change }) => {
        await change((trx) => endSession(trx, accountId, id, actor));
        return emptyResponse(id === sessionId ? cookie.clear() : []);
      },
    }),
  ];
}

/** Returns the answer to a sign-in. It names the first screen, so that the app needs no further request. */
export async function signedInJson(db: Db, token: string): Promise<SignedInJson> {
  const firstScreen = await findFirstScreen(db, token);
  return { signedIn: true, ...(firstScreen === 'overview' && { firstScreen }) };
}

async function show({ db, config, cookie }: RouteDependencies, { ctx, sessionOwner }: SignedInRequest) {
  const { accountId, userId, impersonation } = sessionOwner;
  const user = await getUser(db, accountId, impersonation?.personId ?? userId);
  const permissions = permissionsOf(user.role);
  const session: SessionJson = {
    user: {
      id: userId,
      name: user.name,
      email: user.email,
      role: user.role,
      permissions: impersonation
        ? permissions.filter((permission) => permissionsWhileImpersonating.includes(permission))
        : [...permissions],
      // The agency must not learn how the user signs in.
      hasPassword: impersonation !== undefined || user.password_hash !== null,
      hasSecondFactor: await hasSecondFactor(db, accountId, userId),
    },
    account: await readAccount(db, accountId, config),
    hasCustomers: impersonation === undefined && (await hasCustomers(db, accountId)),
    agency: await findSellerName(db, accountId),
    impersonation: impersonation ? await describeImpersonation(db, accountId, impersonation.id) : null,
  };
  const { brand, subdomain } = session.account;
  // During an impersonation, the sign-in page keeps the brand that the agency's user saw when signing in.
  const site = impersonation ? cookie.readSite(ctx.request) : brand ? subdomain : undefined;
  return jsonResponse(200, session, cookie.update(ctx.request, site));
}
