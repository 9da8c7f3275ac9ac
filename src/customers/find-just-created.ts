import type { AccountValues } from '../accounts/create-account.ts';
import { normalSubdomain } from '../accounts/subdomain.ts';
import { unindexedSeller } from '../accounts/unindexed-seller.ts';
import type { Db } from '../db/database.ts';

/** How long equal values count as the same customer: nobody fills in the same form twice in this time. */
const RETRY_PERIOD_MS = 10 * 60_000;

/**
 * Returns the id of a customer that has just been created with these values: a form may be submitted twice, or again after
 * its response was lost. The subdomain distinguishes the customer from all others.
 */
export async function findJustCreated(
  db: Db,
  accountId: number,
  { accountName, subdomain, userName, userEmail }: AccountValues,
): Promise<number | undefined> {
  const customer = await db
    .selectFrom('accounts')
    .innerJoin('users', 'users.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.subdomain', '=', normalSubdomain(subdomain))
    .where(unindexedSeller, '=', accountId)
    .where('accounts.name', '=', accountName.trim())
    .where('accounts.created_at', '>', Date.now() - RETRY_PERIOD_MS)
    .where('accounts.deleted_at', 'is', null)
    .where('users.name', '=', userName.trim())
    .where('users.email', '=', userEmail.trim())
    .executeTakeFirst();
  return customer?.id;
}
