import type { SessionJson, SignedInJson } from './contract.ts';

/** Tells whether the menu has the overview, which it then begins with. */
export function hasOverview({ hasCustomers, user }: SessionJson): boolean {
  return hasCustomers && user.permissions.includes('view_customers');
}

/** Returns the path of what the menu begins with. */
export function firstPath(session: SessionJson): string {
  return hasOverview(session) ? '/overview' : '/pages';
}

/** Returns the path of what the menu will begin with, where the session is not known yet. */
export function firstPathAfter({ firstScreen }: SignedInJson): string {
  return `/${firstScreen ?? 'pages'}`;
}
