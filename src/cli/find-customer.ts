import type { AccountRow } from '../accounts/account.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { findAccount } from './find-account.ts';

/** The help text of the argument. */
export const CUSTOMER = 'CUSTOMER is its subdomain or id (account_12).';

/**
 * Returns the account of that subdomain or id, if it is a customer of another.
 * @throws AppError `not_found`, `conflict`
 */
export async function findCustomer(db: Db | Trx, text: string): Promise<AccountRow & { parent_id: number }> {
  const account = await findAccount(db, text);
  if (account.parent_id === null) {
    throw new AppError('conflict', `"${account.subdomain}" is a top-level account, and nobody's customer.`);
  }
  return { ...account, parent_id: account.parent_id };
}
