import { isDangling } from '../../db/constraint.ts';
import type { Db, Trx } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import {
  assertImpersonationActive,
  assertStillImpersonating,
  findImpersonation,
} from '../../impersonations/find-impersonation.ts';
import { Refusal } from '../../refusal.ts';
import { lockAccount } from '../../tenancy/lock-account.ts';
import { assertSessionActive, assertStillSignedIn } from '../../users/assert-session-active.ts';
import { type ActingUser, type Permission, permissionsOf } from '../../users/roles.ts';
import { type ClientInfo, findSessionAt, recordSessionUse, type SessionOwner } from '../../users/sessions.ts';
import { suspended } from '../../users/suspended.ts';
import { network } from '../client.ts';
import type { RateLimit } from '../limits.ts';
import type { RequestContext } from '../request-context.ts';
import type { RouteDependencies } from './dependencies.ts';
import { checkLimit } from './request-limit.ts';
import type { AdminRoute, SignedIn } from './route.ts';

interface SignedInDependencies extends Pick<RouteDependencies, 'db' | 'cookie' | 'background'> {
  readonly sessionLimit: RateLimit;
}

/**
 * Authenticates the request by its session and checks the permission.
 * @throws AppError `unauthorized`, `suspended` or `forbidden`; TooManyAttempts
 */
export async function signedIn(
  { db, cookie, background, sessionLimit }: SignedInDependencies,
  ctx: RequestContext,
  route: SessionRoute,
): Promise<SignedIn> {
  const token = cookie.read(ctx.request);
  const session = token === undefined ? undefined : await findSessionAt(db, token, ctx.appHost);
  if (!session) throw new AppError('unauthorized', 'Sign in first.');
  const impersonationToken = cookie.readActing(ctx.request);
  const impersonated =
    impersonationToken === undefined ? undefined : await findImpersonation(db, impersonationToken, session);
  const sessionOwner = impersonated ?? session;
  checkOwner(ctx, route, { sessionOwner, hasImpersonated: impersonationToken !== undefined });
  ctx.sessionOwner = sessionOwner;
  await checkLimit(sessionLimit, String(session.sessionId));
  if (sessionOwner.status === 'suspended') throw await suspended(db, sessionOwner.accountId);
  if (sessionOwner.impersonation && !isForImpersonation(route)) {
    throw new Refusal('forbidden', { reason: 'not_while_impersonating' });
  }
  if (route.needs !== 'session' && !permissionsOf(sessionOwner.role).includes(route.needs)) {
    throw new AppError('forbidden', 'Your role does not allow this. Ask an administrator of the website.');
  }
  // Not awaited: other requests' writes may take seconds, and a request that only reads must not wait for them.
  background.run('recording the use of a session', () => recordSessionUse(db, session));
  return { sessionOwner, actor: actorOf(sessionOwner, ctx.ip), change: changer(db, sessionOwner) };
}

type SessionRoute = Exclude<AdminRoute, { readonly needs: 'anyone' }>;

/**
 * Checks that the browser tab shows the session's account. All tabs share one session: since a tab was loaded, another user may
 * have signed in in another tab, or an impersonation may have begun or ended. While tabs of both accounts may be open, each
 * change must name its account, so that no change is ever made in the wrong one.
 * @throws AppError `unauthorized`
 */
function checkOwner(
  { request }: RequestContext,
  route: SessionRoute,
  { sessionOwner, hasImpersonated }: { sessionOwner: SessionOwner; hasImpersonated: boolean },
): void {
  // Apps that were loaded before version 1.0 send the header by its former name.
  const owner = request.headers['session-owner'] ?? request.headers['freehold-owner'];
  const isChange = route.method !== 'GET' && !route.mayBeForm;
  if (
    owner === undefined ? !(hasImpersonated && isChange) : owner === `${sessionOwner.accountId}/${sessionOwner.userId}`
  )
    return;
  throw new AppError('unauthorized', 'Somebody else has signed in meanwhile. Reload the page.');
}

/** The permissions that an agency's user can exercise while impersonating a customer's user: those for the website. */
export const permissionsWhileImpersonating: readonly Permission[] = [
  ...(['view_pages', 'edit_pages', 'administer_pages', 'update_settings', 'update_theme'] as const),
];

function isForImpersonation({ needs, impersonation }: SessionRoute): boolean {
  if (impersonation !== undefined) return impersonation === 'allowed';
  return needs !== 'session' && permissionsWhileImpersonating.includes(needs);
}

/**
 * Checks that the session's owner is still signed in, before a read that was delayed.
 * @throws AppError `unauthorized`, `suspended`, `forbidden`
 */
export function assertStillAdmitted(db: Db, sessionOwner: SessionOwner): Promise<void> {
  return sessionOwner.impersonation
    ? assertStillImpersonating(db, sessionOwner)
    : assertStillSignedIn(db, sessionOwner);
}

function assertActive(trx: Trx, sessionOwner: SessionOwner): Promise<void> {
  return sessionOwner.impersonation
    ? assertImpersonationActive(trx, sessionOwner)
    : assertSessionActive(trx, sessionOwner);
}

/** Returns the client's IP address, network and browser, and the agency's host if the request came to one. */
export function clientInfoOf({ ip, request, appHost }: RequestContext): ClientInfo {
  const { 'user-agent': userAgent = '' } = request.headers;
  return { ip, network: network(ip), userAgent, ...(appHost && { appHost }) };
}

/** Returns the session's owner in the form for verbs and the audit log. */
export function actorOf({ userId, userName, role, impersonation }: SessionOwner, ip: string): ActingUser {
  return { userId, name: impersonation ? `${impersonation.agent} as ${userName}` : userName, role, ip };
}

/** Returns the function that makes changes of the session's owner, each in one transaction. */
export function changer(db: Db, sessionOwner: SessionOwner): SignedIn['change'] {
  const change: SignedIn['change'] = (work, also = []) =>
    db.transaction().execute(async (trx) => {
      // Accounts are locked in ascending order. The work itself locks those with higher ids.
      for (const other of also) if (other < sessionOwner.accountId) await lockAccount(trx, other);
      await assertActive(trx, sessionOwner);
      return work(trx);
    });
  return async (work, also) => {
    try {
      return await change(work, also);
    } catch (error) {
      // The account has just been deleted with its users: this throws the error that says so.
      if (isDangling(error)) await db.transaction().execute((trx) => assertActive(trx, sessionOwner));
      throw error;
    }
  };
}
