import type { IncomingMessage } from 'node:http';
import { isWellFormedKey } from '../../api-keys/api-key.ts';
import { accountSuspended, invalidKey } from '../../api-keys/assert-key-active.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { hasScope, type Scope } from '../../api-keys/scopes.ts';
import type { Lookup } from '../../db/change-cache.ts';
import { AppError } from '../../errors.ts';
import { queryValues } from '../../query.ts';
import { network } from '../client.ts';
import { type RateLimit, rateLimitHeaders, type Verdict } from '../limits.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { isKeyAlone } from './query-parameters.ts';

export interface AccessDependencies {
  readonly findKey: Lookup<KeyOwner>;
  readonly recordKeyUse: (accountId: number, keyId: number, at: number, ip: string) => void;
  readonly httpsOnly: boolean;
  readonly keyLimit: RateLimit;
  readonly failedKeyLimit: RateLimit;
}

/**
 * Authenticates the request by its key, before anything else of it is read, and goes on with `next`. Synchronous if the key is
 * cached: every request comes through here, and one more promise takes 6 to 9 % of a cached answer.
 * @throws AppError (now or in the promise) `forbidden`, `unauthorized`, `rate_limited` or `suspended`
 */
export function authorize(
  ctx: RequestContext,
  access: AccessDependencies,
  next: (owner: KeyOwner) => HttpResponse | Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  if (access.httpsOnly && !ctx.isHttps) throw httpsRequired(ctx);
  const key = presentedKey(ctx);
  // A request without a key is no guess: only possible guesses are counted.
  if (key === '') throw invalidKey();
  if (key === undefined) return refuse(ctx, access.failedKeyLimit);
  const found = access.findKey(key);
  return found instanceof Promise
    ? found.then((owner) => admitOwner(ctx, access, owner, next))
    : admitOwner(ctx, access, found, next);
}

function admitOwner(
  ctx: RequestContext,
  access: AccessDependencies,
  owner: KeyOwner | undefined,
  next: (owner: KeyOwner) => HttpResponse | Promise<HttpResponse>,
): HttpResponse | Promise<HttpResponse> {
  if (!owner) return refuse(ctx, access.failedKeyLimit);
  ctx.caller = owner;
  const taken = access.keyLimit.enabled ? access.keyLimit.take(String(owner.keyId)) : undefined;
  if (taken instanceof Promise) {
    return taken.then((verdict) => {
      admit(ctx, access, owner, verdict);
      return next(owner);
    });
  }
  admit(ctx, access, owner, taken);
  return next(owner);
}

/** Whether the request has sent a key in the clear where HTTPS is expected, whatever it wanted. */
export function exposesKey(ctx: RequestContext, { httpsOnly }: AccessDependencies): boolean {
  return httpsOnly && !ctx.isHttps && presentedKey(ctx) !== '';
}

export function httpsRequired(ctx: RequestContext): AppError {
  const advice = ' The API key of this request was sent in the clear: replace it.';
  return new AppError('forbidden', `HTTPS is required.${presentedKey(ctx) === '' ? '' : advice}`);
}

function admit(ctx: RequestContext, access: AccessDependencies, owner: KeyOwner, verdict: Verdict | undefined): void {
  if (verdict) {
    ctx.extraHeaders.push(...rateLimitHeaders(verdict));
    if (!verdict.allowed) throw new AppError('rate_limited', 'Too many requests.');
  }
  if (owner.status === 'suspended') throw accountSuspended();
  access.recordKeyUse(owner.accountId, owner.keyId, Date.now(), ctx.ip);
}

/** @throws AppError `forbidden` for a key that is limited to other scopes */
export function assertScope({ scopes }: KeyOwner, scope: Scope): void {
  if (hasScope(scopes, scope)) return;
  throw new AppError('forbidden', `This API key is not allowed to do this. It needs the scope ${scope}.`);
}

async function refuse(ctx: RequestContext, limit: RateLimit): Promise<never> {
  if (limit.enabled) {
    const verdict = await limit.take(network(ctx.ip));
    if (!verdict.allowed) {
      ctx.extraHeaders.push(...rateLimitHeaders(verdict));
      throw new AppError('rate_limited', 'Too many requests with a wrong API key.');
    }
  }
  throw invalidKey();
}

/** The one key of the request; empty when it has none, undefined when it has two that differ, or one that is no key. */
export function presentedKey({ query, request }: RequestContext): string | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined && isKeyAlone(query)) return query.slice('api_key='.length);
  // The rest of the query may be broken: the key is checked before anything else.
  let key = '';
  for (const value of queryValues(query, 'api_key')) {
    if (value === '' || value === key) continue;
    // Not read to the end: there may be hundreds of thousands of them.
    if (key !== '' || !isWellFormedKey(value)) return undefined;
    key = value;
  }
  if (authorization === undefined) return key;
  for (const value of bearerKeys(request)) {
    if (key !== '' && value !== key) return undefined;
    key = value;
  }
  return key;
}

/** From each Authorization line that there is: of two, Node's own reading of them would keep the first in silence. */
function bearerKeys({ rawHeaders }: IncomingMessage): string[] {
  const keys: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue;
    const key = /^bearer +(\S+) *$/i.exec(rawHeaders[index + 1]!)?.[1];
    if (key !== undefined) keys.push(key);
  }
  return keys;
}

const AUTHORIZATION = 'authorization';
