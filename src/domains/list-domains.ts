import type { Db, Trx } from '../db/database.ts';
import type { DomainRow } from './domain.ts';

export interface ListedDomain extends DomainRow {
  /** Visitors of the account's other hosts are sent to this one. */
  isPrimary: boolean;
}

/** The account's domains in the order they were added. The first that is verified and has the site is the primary one. */
export async function listDomains(db: Db | Trx, accountId: number): Promise<ListedDomain[]> {
  const rows = await db.selectFrom('domains').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
  const first = rows.find(({ verified_at, is_app }) => verified_at !== null && is_app === 0);
  return rows.map((row) => ({ ...row, isPrimary: row === first }));
}
