import type { Db, Trx } from '../db/database.ts';
import type { DomainRow } from './domain.ts';

export interface ListedDomain extends DomainRow {
  /** True if visitors of the account's other hosts are redirected to this one. */
  isPrimary: boolean;
}

/**
 * Lists the account's domains in the order they were added. The first that is verified and serves the site is the primary
 * one.
 */
export async function listDomains(db: Db | Trx, accountId: number): Promise<ListedDomain[]> {
  const rows = await db.selectFrom('domains').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
  const first = rows.find(({ verified_at, is_app }) => verified_at !== null && is_app === 0);
  return rows.map((row) => ({ ...row, isPrimary: row === first }));
}
