import { ValidationError } from '../errors.ts';

/** What a key may be limited to. A scope for writing includes reading. */
export const scopes = [
  'pages:read',
  'pages:write',
  'images:read',
  'images:write',
  'customers:read',
  'customers:write',
  'revenue:read',
  'events:read',
] as const;
export type Scope = (typeof scopes)[number];

/** The scopes of a key as they are stored: separated by spaces; null for a key that may do everything. */
export type StoredScopes = string | null;

/** Whether a key with these scopes may do what takes the scope. */
export function hasScope(stored: StoredScopes, scope: Scope): boolean {
  if (stored === null) return true;
  const own = stored.split(' ');
  return own.includes(scope) || own.includes(scope.replace(':read', ':write'));
}

export function readScopes(stored: StoredScopes): Scope[] | null {
  return stored === null ? null : (stored.split(' ') as Scope[]);
}

/**
 * Returns the scopes in their own order, as they are stored.
 * @throws ValidationError for an unknown one, and for none: such a key could do nothing.
 */
export function storeScopes(chosen: readonly string[] | null): StoredScopes {
  if (chosen === null) return null;
  if (chosen.length === 0) throw new ValidationError([{ field: 'scopes', code: 'blank' }]);
  const isKnown = chosen.every((name) => scopes.some((scope) => scope === name));
  if (!isKnown) throw new ValidationError([{ field: 'scopes', code: 'not_one_of', params: { values: scopes } }]);
  return scopes.filter((scope) => chosen.includes(scope)).join(' ');
}
