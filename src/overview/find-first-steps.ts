import { isNotDeleted } from '../customers/customer.ts';
import type { Db } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { listPlans } from '../plans/plans.ts';

/** An account with this many customers is no beginner, even if none of them signs in. */
const BEGINNERS_CUSTOMERS = 10;

/** The steps to a first paying customer that signs in, and which of them are done. */
export interface FirstSteps {
  /** True if the account offers a plan with a price. */
  hasPlan: boolean;
  hasCustomer: boolean;
}

/** Returns the first steps of an account, or undefined once a customer has signed in or there are ten customers. */
export async function findFirstSteps(db: Db, accountId: number): Promise<FirstSteps | undefined> {
  const customers = await db
    .selectFrom('accounts')
    .select('signed_in_at')
    .where('parent_id', '=', accountId)
    .where(isNotDeleted)
    // True of all customers: it makes the database read the index in its order.
    .where('created_at', '>=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limitInIndexOrder(BEGINNERS_CUSTOMERS))
    .execute();
  if (customers.length >= BEGINNERS_CUSTOMERS) return undefined;
  if (customers.some(({ signed_in_at }) => signed_in_at !== null)) return undefined;
  const plans = await listPlans(db, accountId);
  return {
    hasPlan: plans.some(({ price_cents, retired_at }) => price_cents > 0 && retired_at === null),
    hasCustomer: customers.length > 0,
  };
}
