import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import type { BrandsTable } from '../db/schema.ts';

export type BrandRow = Selectable<BrandsTable>;

/** Returns the account's own brand, which its customers see; undefined if it has none. */
export function findOwnBrand(db: Db | Trx, accountId: number): Promise<BrandRow | undefined> {
  return db.selectFrom('brands').selectAll().where('account_id', '=', accountId).executeTakeFirst();
}
