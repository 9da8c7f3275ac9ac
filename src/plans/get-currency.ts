import type { Db, Trx } from '../db/database.ts';

/** Returns the code of the currency of what the account sells, as in ISO 4217; empty if nobody has chosen one. */
export async function getCurrency(db: Db | Trx, accountId: number): Promise<string> {
  const account = db.selectFrom('accounts').select('currency').where('id', '=', accountId);
  return (await account.executeTakeFirstOrThrow()).currency ?? '';
}
