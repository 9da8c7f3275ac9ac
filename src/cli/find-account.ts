import { type AccountRow, getAccount, getAccountBySubdomain } from '../accounts/account.ts';
import type { Db, Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';

/** The help text of the argument. */
export const ACCOUNT = 'ACCOUNT is its subdomain or id (account_12).';

/**
 * The account of that subdomain, or of that id: `account_12`, or `12` where no subdomain is that.
 * @throws AppError `not_found`
 */
export async function findAccount(db: Db | Trx, text: string): Promise<AccountRow> {
  const wanted = text.trim();
  // No subdomain has an underscore, so the two cannot be taken for each other.
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
