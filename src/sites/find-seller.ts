import type { Db } from '../db/database.ts';
import { primaryHost } from './primary-host.ts';

/** Returns the account that a customer belongs to, with the columns that its site's address is made from. */
export function findSeller(db: Db, customerId: number) {
  return db
    .selectFrom('accounts as customers')
    .innerJoin('accounts', 'accounts.id', 'customers.parent_id')
    .select((e) => ['accounts.name', 'accounts.subdomain', 'accounts.status', primaryHost(e)])
    .where('customers.id', '=', customerId)
    .executeTakeFirst();
}
