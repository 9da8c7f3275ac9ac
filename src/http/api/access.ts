import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { AppError } from '../../errors.ts';
import { network } from '../client.ts';
import type { Exchange } from '../exchange.ts';
import { type RateLimit, rateLimitHeaders } from '../limits.ts';

export interface AccessDependencies {
  readonly findKey: (key: string) => Promise<KeyOwner | undefined>;
  readonly noteUse: (accountId: number, keyId: number, at: number) => void;
  readonly httpsOnly: boolean;
  readonly keyLimit: RateLimit;
  readonly failedKeyLimit: RateLimit;
}

/**
 * Finds out whose key this is, before anything else of the request is looked at.
 * @throws AppError `forbidden`, `unauthorized`, `rate_limited` or `suspended`
 */
export async function authorize(exchange: Exchange, access: AccessDependencies): Promise<KeyOwner> {
  if (access.httpsOnly && !exchange.isHttps) {
    throw new AppError(
      'forbidden',
      'HTTPS is required. The API key of this request was sent in the clear: replace it.',
    );
  }
  const key = presentedKey(exchange);
  const owner = key === undefined ? undefined : await access.findKey(key);
  if (!owner) return refuse(exchange, access.failedKeyLimit);
  exchange.caller = owner;
  if (access.keyLimit.enabled) {
    const taken = access.keyLimit.take(String(owner.keyId));
    const verdict = taken instanceof Promise ? await taken : taken;
    exchange.extraHeaders.push(...rateLimitHeaders(verdict));
    if (!verdict.allowed) throw new AppError('rate_limited', 'Too many requests.');
  }
  if (owner.status === 'suspended') throw new AppError('suspended', 'Account suspended.');
  access.noteUse(owner.accountId, owner.keyId, Date.now());
  return owner;
}

async function refuse(exchange: Exchange, limit: RateLimit): Promise<never> {
  if (limit.enabled) {
    const verdict = await limit.take(network(exchange.ip));
    if (!verdict.allowed) {
      exchange.extraHeaders.push(...rateLimitHeaders(verdict));
      throw new AppError('rate_limited', 'Too many requests with a wrong API key.');
    }
  }
  throw new AppError('unauthorized', 'Invalid API key.');
}

/** The one key of the request; undefined when there is none, or two that differ. */
export function presentedKey({ query, request }: Exchange): string | undefined {
  const { authorization } = request.headers;
  // Nearly every request: the key alone in the query.
  if (authorization === undefined && query.startsWith('api_key=') && !/[&%]/.test(query)) return query.slice(8);
  const keys = new Set(keysInQuery(query));
  const bearer = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (bearer !== undefined) keys.add(bearer);
  return keys.size === 1 ? [...keys][0] : undefined;
}

/**
 * Reads `api_key` without minding the rest of the query, which may be broken: the key is checked before anything else.
 * A key has only characters that need no encoding, but a client may encode them all the same.
 */
function keysInQuery(query: string): string[] {
  const keys: string[] = [];
  for (const pair of query.split('&')) {
    const equals = pair.indexOf('=');
    if (equals === -1 || lenient(pair.slice(0, equals)) !== 'api_key') continue;
    keys.push(lenient(pair.slice(equals + 1)));
  }
  return keys;
}

function lenient(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
