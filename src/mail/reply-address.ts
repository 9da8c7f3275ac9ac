import type { Db, Trx } from '../db/database.ts';
import { isPlainAddress } from './plain-address.ts';

/*
 * The address for replies to a message: see decision 051. Anybody can create an account for another person's address, and
 * must not be able to direct replies there. So an address is eligible only if a mailed link has proved it, or if its account
 * is top-level: only the operator sets these up.
 */

/** Returns the user's address; null if it is not eligible. */
export async function replyAddressOfUser(db: Db | Trx, accountId: number, userId: number): Promise<string | null> {
  const user = await eligibleAddresses(db)
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return user && isPlainAddress(user.email) ? user.email : null;
}

/** Returns the address of the account's owner; null if it is not eligible. */
export async function replyAddressOfOwner(db: Db | Trx, accountId: number): Promise<string | null> {
  const owner = await eligibleAddresses(db)
    .where('users.account_id', '=', accountId)
    .where('users.role', '=', 'owner')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst();
  return owner && isPlainAddress(owner.email) ? owner.email : null;
}

/** Returns a query for the eligible addresses. */
export function eligibleAddresses(db: Db | Trx) {
  return (
    db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select('users.email')
      .where('users.removed_at', 'is', null)
      .where((e) => e.or([e('users.address_proved_at', 'is not', null), e('accounts.parent_id', 'is', null)]))
      // Excludes the address that the first start makes up.
      .where('users.email', 'not like', '%@localhost')
  );
}
