import { type AccountRow, getAccount, getAccountBySubdomain } from '../accounts/account.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';

/** The help text of the positional. */
export const ACCOUNT = 'ACCOUNT is its subdomain or id (account_12).';

/**
 * Returns the account with the subdomain or id: `account_12`, or `12` if no subdomain is that number.
 * @throws AppError `not_found`
 */
export async function findAccount(db: Db | Trx, text: string): Promise<AccountRow> {
  const wanted = text.trim();
  // No subdomain contains an underscore, so the two forms cannot be confused.
  const [, prefix, digits] = /^(account_)?([1-9]\d{0,14})$/.exec(wanted) ?? [];
  if (prefix !== undefined) return getAccount(db, Number(digits));
  try {
    return await getAccountBySubdomain(db, wanted);
  } catch (error) {
    if (digits === undefined || !(error instanceof AppError) || error.code !== 'not_found') throw error;
    return await getAccount(db, Number(digits)).catch(() => {
      throw error;
    });
  }
}
