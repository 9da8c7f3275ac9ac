import type { Db, Trx } from '../db/database.ts';
import { isPlainAddress } from './plain-address.ts';

/*
 * The address that takes the replies to a message: see decision 051. Anybody can create an account for another person's address,
 * and must not be able to direct replies there. So an address counts if a mailed link has proved it, or if its account is top-level:
 * only the operator sets these up.
 */

/** Returns the user's address; null if it does not count. */
export async function replyAddressOfUser(db: Db | Trx, accountId: number, userId: number): Promise<string | null> {
  const user = await countedAddresses(db)
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return user && isPlainAddress(user.email) ? user.email : null;
}

/** Returns the address of the account's owner; null if it does not count. */
export async function replyAddressOfOwner(db: Db | Trx, accountId: number): Promise<string | null> {
  const owner = await countedAddresses(db)
    .where('users.account_id', '=', accountId)
    .where('users.role', '=', 'owner')
    .orderBy('users.id')
    .limit(1)
    .executeTakeFirst();
  return owner && isPlainAddress(owner.email) ? owner.email : null;
}

/** Returns the query for the addresses that count. */
export function countedAddresses(db: Db | Trx) {
  return (
    db
      .selectFrom('users')
      .innerJoin('accounts', 'accounts.id', 'users.account_id')
      .select('users.email')
      .where('users.removed_at', 'is', null)
      .where((e) => e.or([e('users.address_proved_at', 'is not', null), e('accounts.parent_id', 'is', null)]))
      // The first start makes up an address.
      .where('users.email', 'not like', '%@localhost')
  );
}
