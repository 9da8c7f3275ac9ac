import type { AccountRow } from '../accounts/account.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findAccount } from './find-account.ts';

/** The help text of the positional. */
export const CUSTOMER = 'CUSTOMER is its subdomain or id (account_12).';

/**
 * Returns the account with the subdomain or id, which must be a customer of another account.
 * @throws AppError `not_found`; `conflict` if it is a top-level account
 */
export async function findCustomer(db: Db | Trx, text: string): Promise<AccountRow & { parent_id: number }> {
  const account = await findAccount(db, text);
  if (account.parent_id === null) {
    throw new AppError('conflict', `"${account.subdomain}" is a top-level account, not a customer.`);
  }
  return { ...account, parent_id: account.parent_id };
}
