import { api } from './api.ts';
import { goTo } from './signed-in.ts';

/* Acting for a person of a customer: the browser is in the customer's account, for some minutes. */

/** Goes to the customer's website, as that person. Does not return. */
export async function beginVisit(personId: number, reason: string): Promise<void> {
  await api.signInAs(personId, { reason });
  goTo('/pages');
}

/** Ends it, and goes back to the customer's page in the agency's own account. Does not return. */
export async function endVisit(): Promise<void> {
  const { customerId } = await api.endImpersonation();
  goTo(customerId === null ? '/customers' : `/customers/${customerId}`);
}

/** Returns how many minutes are left, the one under way included. */
export function minutesLeft(endsAt: number, now: number): number {
  return Math.max(1, Math.ceil((endsAt - now) / 60_000));
}
