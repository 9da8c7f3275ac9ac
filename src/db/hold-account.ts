import { dialectOf, type Trx } from './database.ts';

/**
 * Locks the account's row until the transaction ends, against everybody else who changes the account, its people or its
 * keys, and against its deletion. A transaction that locks any other row of an account locks this one first, so that no
 * two wait for each other; `raiseContentVersion` and `raiseCustomersVersion` do so by themselves. On SQLite there is one
 * writer at a time anyway.
 */
export async function holdAccount(trx: Trx, accountId: number): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}
