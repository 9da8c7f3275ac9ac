import type { Db, Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { isPlainAddress } from './plain-address.ts';

/*
 * The address that takes the replies to a message: see decision 051. Anybody can create an account for another person's address,
 * and must not be able to direct replies there. So an address counts if a mailed link has proved it, or if its account is top-level:
 * only the operator sets these up.
 */

/**
 * Returns the address of the owner of the account that sells this one, or of a top-level account's own owner; null if there is
 * none that counts.
 */
export async function replyAddress(db: Db | Trx, accountId: number): Promise<string | null> {
  const [owner] = await selectOwner(db, { accountId });
  return owner && isPlainAddress(owner.email) ? owner.email : null;
}

const selectOwner = prepared<{ accountId: number }, { email: string }>((db, parameter) =>
  addresses(db)
    .where('users.account_id', '=', (e) =>
      e
        .selectFrom('accounts as recipients')
        .select(({ fn }) => fn.coalesce('recipients.parent_id', 'recipients.id').as('id'))
        .where('recipients.id', '=', parameter('accountId')),
    )
    .where('users.role', '=', 'owner')
    .orderBy('users.id')
    .limit(1),
);

/** Returns the user's address; null if it does not count. */
export async function replyAddressOfUser(db: Db | Trx, accountId: number, userId: number): Promise<string | null> {
  const user = await addresses(db)
    .where('users.account_id', '=', accountId)
    .where('users.id', '=', userId)
    .executeTakeFirst();
  return user && isPlainAddress(user.email) ? user.email : null;
}

function addresses(db: Db | Trx) {
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
