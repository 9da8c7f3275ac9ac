import { api } from './api.ts';
import { goTo } from './signed-in.ts';

/* Signing in as a customer's user: the browser is in the customer's account for some minutes. */

/** Goes to the customer's website as that user. Does not return. */
export async function startVisit(personId: number, reason: string): Promise<void> {
  await api.signInAs(personId, { reason });
  goTo('/pages');
}

/** Ends the visit, and goes back to the customer's page in the agency's own account. Does not return. */
export async function endVisit(): Promise<void> {
  const { customerId } = await api.endImpersonation();
  goTo(customerId === null ? '/customers' : `/customers/${customerId}`);
}

/** Returns how many minutes are left, rounded up and at least 1. */
export function minutesLeft(endsAt: number, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / 60_000));
}
