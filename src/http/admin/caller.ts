import { isDangling } from '../../db/constraint.ts';
import type { Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { lockAccount } from '../../tenancy/lock-account.ts';
import { assertSessionActive } from '../../users/assert-session-active.ts';
import { type ActingUser, type Permission, permissionsOf } from '../../users/roles.ts';
import { type ClientInfo, findSession, recordSessionUse, type SessionOwner } from '../../users/sessions.ts';
import { suspended } from '../../users/suspended.ts';
import { network } from '../client.ts';
import type { RateLimit } from '../limits.ts';
import type { RequestContext } from '../request-context.ts';
import type { RouteDependencies } from './dependencies.ts';
import { checkLimit } from './request-limit.ts';
import type { SignedIn } from './route.ts';

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
  needs: 'session' | Permission,
): Promise<SignedIn> {
  const token = cookie.read(ctx.request);
  const caller = token === undefined ? undefined : await findSession(db, token);
  if (!caller) throw new AppError('unauthorized', 'Sign in first.');
  // A browser has one session: another user may have signed in in another tab since this one was loaded.
  const owner = ctx.request.headers['freehold-owner'];
  if (owner !== undefined && owner !== `${caller.accountId}/${caller.userId}`) {
    throw new AppError('unauthorized', 'Somebody else is signed in by now. Load the page again.');
  }
  ctx.person = caller;
  await checkLimit(sessionLimit, String(caller.sessionId));
  if (caller.status === 'suspended') throw await suspended(db, caller.accountId);
  if (needs !== 'session' && !permissionsOf(caller.role).includes(needs)) {
    throw new AppError('forbidden', 'Your role does not allow this. Ask an administrator of the website.');
  }
  // Not awaited: others' writes may take seconds, and a request that only reads must not wait for them.
  background.run('recording the use of a session', () => recordSessionUse(db, caller));
  return { caller, actor: actorOf(caller, ctx.ip), change: changer(db, caller) };
}

/** Returns the IP address and the browser that a request comes from. */
export function clientInfoOf({ ip, request }: RequestContext): ClientInfo {
  return { ip, network: network(ip), userAgent: request.headers['user-agent'] ?? '' };
}

/** Returns the caller as verbs and the account's log know them. */
export function actorOf({ userId, userName, role }: SessionOwner, ip: string): ActingUser {
  return { userId, name: userName, role, ip };
}

export function changer(db: Db, caller: SessionOwner): SignedIn['change'] {
  const change: SignedIn['change'] = (work, also = []) =>
    db.transaction().execute(async (trx) => {
      // Locked in ascending order; the work itself locks accounts with higher ids.
      for (const other of also) if (other < caller.accountId) await lockAccount(trx, other);
      await assertSessionActive(trx, caller);
      return work(trx);
    });
  return async (work, also) => {
    try {
      return await change(work, also);
    } catch (error) {
      // The account has just been deleted with its users.
      if (isDangling(error)) await db.transaction().execute((trx) => assertSessionActive(trx, caller));
      throw error;
    }
  };
}
