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
  const acting = cookie.readActing(ctx.request);
  const acted = acting === undefined ? undefined : await findImpersonation(db, acting, session);
  const caller = acted ?? session;
  checkOwner(ctx, route, { caller, hasActed: acting !== undefined });
  ctx.person = caller;
  await checkLimit(sessionLimit, String(session.sessionId));
  if (caller.status === 'suspended') throw await suspended(db, caller.accountId);
  if (caller.impersonation && !isForImpersonation(route)) {
    throw new Refusal('forbidden', { reason: 'not_while_impersonating' });
  }
  if (route.needs !== 'session' && !permissionsOf(caller.role).includes(route.needs)) {
    throw new AppError('forbidden', 'Your role does not allow this. Ask an administrator of the website.');
  }
  // Not awaited: others' writes may take seconds, and a request that only reads must not wait for them.
  background.run('recording the use of a session', () => recordSessionUse(db, session));
  return { caller, actor: actorOf(caller, ctx.ip), change: changer(db, caller) };
}

type SessionRoute = Exclude<AdminRoute, { readonly needs: 'anyone' }>;

/**
 * Checks whose screens sent the request. A browser has one session: another user may have signed in in another tab since the
 * screens were loaded, or an impersonation may have begun or ended. As long as there may be screens of both, each change has to
 * name its own, so that none is ever made in the other account.
 * @throws AppError `unauthorized`
 */
function checkOwner(
  { request }: RequestContext,
  route: SessionRoute,
  { caller, hasActed }: { caller: SessionOwner; hasActed: boolean },
): void {
  // An app that was loaded before version 1.0 has another name for it.
  const owner = request.headers['session-owner'] ?? request.headers['freehold-owner'];
  const isChange = route.method !== 'GET' && !route.mayBeForm;
  if (owner === undefined ? !(hasActed && isChange) : owner === `${caller.accountId}/${caller.userId}`) return;
  throw new AppError('unauthorized', 'Somebody else is signed in by now. Load the page again.');
}

/** The permissions that an agency's person has while they act for a person of a customer who has them: its website's. */
export const permissionsWhileImpersonating: readonly Permission[] = [
  ...(['view_pages', 'edit_pages', 'administer_pages', 'update_settings', 'update_theme'] as const),
];

function isForImpersonation({ needs, impersonation }: SessionRoute): boolean {
  if (impersonation !== undefined) return impersonation === 'allowed';
  return needs !== 'session' && permissionsWhileImpersonating.includes(needs);
}

/** Checks that the caller is still signed in, before a read that has waited. @throws AppError `unauthorized`, `suspended`, `forbidden` */
export function assertStillThere(db: Db, caller: SessionOwner): Promise<void> {
  return caller.impersonation ? assertStillImpersonating(db, caller) : assertStillSignedIn(db, caller);
}

function assertActive(trx: Trx, caller: SessionOwner): Promise<void> {
  return caller.impersonation ? assertImpersonationActive(trx, caller) : assertSessionActive(trx, caller);
}

/** Returns the IP address and the browser that a request comes from, and the host of an agency that it came to. */
export function clientInfoOf({ ip, request, appHost }: RequestContext): ClientInfo {
  const { 'user-agent': userAgent = '' } = request.headers;
  return { ip, network: network(ip), userAgent, ...(appHost && { appHost }) };
}

/** Returns the caller as verbs and the account's log know them. */
export function actorOf({ userId, userName, role, impersonation }: SessionOwner, ip: string): ActingUser {
  return { userId, name: impersonation ? `${impersonation.agent} as ${userName}` : userName, role, ip };
}

export function changer(db: Db, caller: SessionOwner): SignedIn['change'] {
  const change: SignedIn['change'] = (work, also = []) =>
    db.transaction().execute(async (trx) => {
      // Locked in ascending order; the work itself locks accounts with higher ids.
      for (const other of also) if (other < caller.accountId) await lockAccount(trx, other);
      await assertActive(trx, caller);
      return work(trx);
    });
  return async (work, also) => {
    try {
      return await change(work, also);
    } catch (error) {
      // The account has just been deleted with its users.
      if (isDangling(error)) await db.transaction().execute((trx) => assertActive(trx, caller));
      throw error;
    }
  };
}
