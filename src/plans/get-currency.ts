import type { Db, Trx } from '../db/database.ts';

/** Returns the ISO 4217 code of the currency of the account's prices, or an empty text if nobody has chosen one. */
export async function getCurrency(db: Db | Trx, accountId: number): Promise<string> {
  const account = db.selectFrom('accounts').select('currency').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).currency ?? '';
}
