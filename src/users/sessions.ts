import type { Db, Trx } from '../db/database.ts';
import { type Parameter, prepared, preparedInsert } from '../db/prepared.ts';
import { AppError } from '../errors.ts';
import { isBelow } from '../tenancy/is-below.ts';
import type { Role } from './roles.ts';
import { hashToken, newToken } from './token.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** A session ends after the idle timeout without a request, and after its lifetime in any case. */
const SESSION_IDLE_TIMEOUT_MS = 14 * DAY_MS;
export const SESSION_LIFETIME_MS = 90 * DAY_MS;

/** The precision of `last_seen_at`: a request that only reads must not cost a write each time. */
const LAST_SEEN_PRECISION_MS = 60_000;

/** The client that a request comes from. */
export interface ClientInfo {
  ip: string;
  /** The part of the address that identifies one customer of an internet provider: all of IPv4, half of IPv6. */
  network: string;
  userAgent: string;
  /** The agency's own host that the client came to. Users of accounts below that agency can sign in there. */
  appHost?: { readonly host: string; readonly accountId: number };
}

/** The user of a session, with what every request needs to know about them and their account. */
export interface SessionOwner {
  sessionId: number;
  userId: number;
  accountId: number;
  userName: string;
  role: Role;
  status: 'active' | 'suspended';
  lastSeenAt: number;
  /** The agency's own host that the session is for; null for the host of PUBLIC_URL. */
  appHost?: string | null;
  /** Set if a user of the agency acts for the user. Then there is no session of this account, and `sessionId` is 0. */
  impersonation?: Impersonation;
}

/**
 * An agency's user who is signed in as a user of its customer. The `userId` of the session's owner is then a separate row:
 * see `users.acts_for`.
 */
interface Impersonation {
  id: number;
  /** The customer's user. */
  personId: number;
  /** The name of the agency's user and of the agency: `Ana (Acme Agency)`. */
  agent: string;
}

/**
 * Starts a session and returns its token. The token cannot be read again: the database has only its hash.
 * @throws AppError `unauthorized` at the host of an agency that the account is not below.
 */
export async function startSession(
  trx: Trx,
  accountId: number,
  { userId, clientInfo: { ip, network, userAgent, appHost } }: { userId: number; clientInfo: ClientInfo },
): Promise<string> {
  const now = Date.now();
  const token = newToken();
  if (appHost) await requireBelow(trx, accountId, appHost.accountId);
  await recordFirstSignIn(trx, { accountId, now });
  await insert(trx, {
    account_id: accountId,
    user_id: userId,
    token_hash: hashToken(token),
    created_at: now,
    last_seen_at: now,
    expires_at: now + SESSION_LIFETIME_MS,
    ip,
    network,
    user_agent: userAgent.slice(0, MAX_USER_AGENT_CHARACTERS),
    app_host: appHost?.host ?? null,
  });
  return token;
}

async function requireBelow(trx: Trx, accountId: number, agencyId: number): Promise<void> {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where(isBelow('accounts.id', agencyId))
    .executeTakeFirst();
  if (!account) throw new AppError('unauthorized', 'Sign in at the address in your e-mails.');
}

const MAX_USER_AGENT_CHARACTERS = 300;

const recordFirstSignIn = prepared<{ accountId: number; now: number }, unknown>((db, parameter) =>
  db
    .updateTable('accounts')
    .set({ signed_in_at: parameter('now') })
    .where('id', '=', parameter('accountId'))
    .where('signed_in_at', 'is', null),
);

const insert = preparedInsert('sessions', [
  'account_id',
  'user_id',
  'token_hash',
  'created_at',
  'last_seen_at',
  'expires_at',
  'ip',
  'network',
  'user_agent',
  'app_host',
]);

/** Returns the owner of the token's session; undefined if there is no such session or it has ended. */
export async function findSession(db: Db, token: string): Promise<SessionOwner | undefined> {
  const [owner] = await selectOwner(db, sessionQuery(token));
  return owner;
}

/**
 * Returns the owner of the token's session if it is valid at the request's host: the host of PUBLIC_URL or an agency's own.
 * The token could have been copied from another host, and the host may have passed to another agency since.
 */
export async function findSessionAt(
  db: Db,
  token: string,
  appHost: ClientInfo['appHost'],
): Promise<SessionOwner | undefined> {
  const query = sessionQuery(token);
  const [owner] = await (appHost
    ? selectOwnerBelow(db, { ...query, agencyId: appHost.accountId })
    : selectOwner(db, query));
  return owner?.appHost === (appHost?.host ?? null) ? owner : undefined;
}

interface SessionQuery {
  hash: string;
  now: number;
  since: number;
}

function sessionQuery(token: string): SessionQuery {
  const now = Date.now();
  return { hash: hashToken(token), now, since: now - SESSION_IDLE_TIMEOUT_MS };
}

const selectOwner = prepared<SessionQuery, SessionOwner>(selectOwners);

const selectOwnerBelow = prepared<SessionQuery & { agencyId: number }, SessionOwner>((db, parameter) =>
  selectOwners(db, parameter).where(isBelow('accounts.id', parameter('agencyId'))),
);

function selectOwners(db: Db, parameter: Parameter<SessionQuery>) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', (join) =>
      join.onRef('users.account_id', '=', 'sessions.account_id').onRef('users.id', '=', 'sessions.user_id'),
    )
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .select([
      'sessions.id as sessionId',
      'sessions.user_id as userId',
      'sessions.account_id as accountId',
      'users.name as userName',
      'users.role',
      'accounts.status',
      'sessions.last_seen_at as lastSeenAt',
      'sessions.app_host as appHost',
    ])
    .where('sessions.token_hash', '=', parameter('hash'))
    .where('sessions.ended_at', 'is', null)
    .where('sessions.expires_at', '>', parameter('now'))
    .where('sessions.last_seen_at', '>', parameter('since'))
    .where('users.removed_at', 'is', null);
}

/** Records that the session is in use, at most once a minute. */
export async function recordSessionUse(db: Db, { accountId, sessionId, lastSeenAt }: SessionOwner): Promise<void> {
  const now = Date.now();
  if (lastSeenAt > now - LAST_SEEN_PRECISION_MS) return;
  await db.transaction().execute((trx) => markSeen(trx, { accountId, sessionId, now }));
}

const markSeen = prepared<{ accountId: number; sessionId: number; now: number }, unknown>((db, parameter) =>
  db
    .updateTable('sessions')
    .set({ last_seen_at: parameter('now') })
    .where('account_id', '=', parameter('accountId'))
    .where('id', '=', parameter('sessionId'))
    .where('last_seen_at', '<', parameter('now')),
);

/** The most sessions that are listed. */
const MAX_LISTED_SESSIONS = 100;

/** Returns the user's active sessions, the most recently used first. */
export function listSessions(db: Db, accountId: number, userId: number) {
  const now = Date.now();
  return db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_seen_at', 'ip', 'user_agent'])
    .where('account_id', '=', accountId)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('last_seen_at', '>', now - SESSION_IDLE_TIMEOUT_MS)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED_SESSIONS)
    .execute();
}
