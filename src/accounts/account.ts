import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { AccountsTable } from '../db/schema.ts';
import { notFound } from '../errors.ts';
import { normalSubdomain } from './subdomain.ts';

export type AccountRow = Selectable<AccountsTable>;

/** Returns the id with the prefix that it has in the API: `account_12`. */
export function formatAccountId(id: number): string {
  return `account_${id}`;
}

/**
 * Returns the account with the subdomain, unless it was deleted for good.
 * @throws AppError `not_found`
 */
export async function getAccountBySubdomain(db: Db | Trx, subdomain: string): Promise<AccountRow> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('subdomain', '=', normalSubdomain(subdomain))
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!account) throw notFound(`The account "${subdomain}"`);
  return account;
}

/**
 * Returns the account with the id, unless it was deleted for good.
 * @throws AppError `not_found`
 */
export async function getAccount(db: Db | Trx, id: number): Promise<AccountRow> {
  const account = await db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!account) throw notFound('The account');
  return account;
}
