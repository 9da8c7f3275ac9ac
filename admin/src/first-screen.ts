import type { SessionJson, SignedInJson } from './contract.ts';

/** True if the menu starts with the overview. */
export function hasOverview({ hasCustomers, user }: SessionJson): boolean {
  return hasCustomers && user.permissions.includes('view_customers');
}

/** Returns the path of the menu's first screen. */
export function firstPath(session: SessionJson): string {
  return hasOverview(session) ? '/overview' : '/pages';
}

/** Returns the path of the menu's first screen directly after signing in, when the session is not loaded yet. */
export function firstPathAfter({ firstScreen }: SignedInJson): string {
  return `/${firstScreen ?? 'pages'}`;
}
