import { ValidationError } from '../errors.ts';

/** The scopes of keys. A write scope includes reading, and customers include their plans. */
export const scopes = [
  'pages:read',
  'pages:write',
  'images:read',
  'images:write',
  'customers:read',
  'customers:write',
  'plans:read',
  'plans:write',
  'revenue:read',
  'domains:read',
  'domains:write',
  'users:read',
  'users:write',
  'settings:read',
  'settings:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'keys:read',
  'keys:write',
] as const;
export type Scope = (typeof scopes)[number];

/** The scopes of a key in their stored form: separated by spaces, or null for unrestricted access. */
export type StoredScopes = string | null;

/** Returns true if a key with the stored scopes has the scope. */
export function hasScope(stored: StoredScopes, scope: Scope): boolean {
  if (stored === null) return true;
  const own = stored.split(' ');
  return own.includes(scope) || isIncluded(scope, own);
}

/** Returns true if one of the other scopes includes this one. */
function isIncluded(scope: Scope, others: readonly string[]): boolean {
  if (!scope.endsWith(':read')) return false;
  if (scope === 'plans:read' && others.some((other) => other.startsWith('customers:'))) return true;
  return others.includes(scope.replace(':read', ':write'));
}

/** Returns true if a key with the scopes `own` may do all that a key with the scopes `others` may. */
export function includesScopes(own: StoredScopes, others: StoredScopes): boolean {
  if (own === null || others === null) return own === null;
  return (others.split(' ') as Scope[]).every((scope) => hasScope(own, scope));
}

export function readScopes(stored: StoredScopes): Scope[] | null {
  return stored === null ? null : (stored.split(' ') as Scope[]);
}

/**
 * Returns the stored form of the scopes: in the order of `scopes`, without those that others include.
 * @throws ValidationError for an unknown scope, and for an empty list: such a key could do nothing.
 */
export function storeScopes(chosen: readonly string[] | null): StoredScopes {
  if (chosen === null) return null;
  if (chosen.length === 0) throw new ValidationError([{ field: 'scopes', code: 'blank' }]);
  const isKnown = chosen.every((name) => scopes.some((scope) => scope === name));
  if (!isKnown) throw new ValidationError([{ field: 'scopes', code: 'not_one_of', params: { values: scopes } }]);
  return scopes.filter((scope) => chosen.includes(scope) && !isIncluded(scope, chosen)).join(' ');
}

interface GrantInput {
  /** The scopes that are asked for; null for all that may be granted. */
  wanted: readonly string[] | null;
  /** The scopes of the issuing key. */
  granter: StoredScopes;
  /** True if an agency gets a key of a customer. Such a key is limited to the website, like a sign-in by the agency's users. */
  isForAgency?: boolean;
}

/**
 * Returns the scopes of a key that another key issues. It gets no scope that the issuing key does not have.
 * @throws ValidationError for a scope beyond these
 */
export function grantScopes({ wanted, granter, isForAgency = false }: GrantInput): readonly string[] | null {
  if (granter === null && !isForAgency) return wanted;
  const mayHave = (scope: Scope) =>
    hasScope(granter, scope) && (!isForAgency || /^(pages|images|domains|settings):/.test(scope));
  const values = scopes.filter(mayHave);
  if (wanted === null) return values;
  if (wanted.every((name) => values.some((scope) => scope === name))) return wanted;
  throw new ValidationError([{ field: 'scopes', code: 'not_one_of', params: { values } }]);
}
