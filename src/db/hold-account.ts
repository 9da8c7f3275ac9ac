import { dialectOf, type Trx } from './database.ts';

/**
 * Locks the account's row until the transaction ends. All other transactions that change the account, its people or its
 * keys, or delete it, wait. A transaction that locks any row of an account locks this row first, which prevents deadlocks;
 * `raiseContentVersion` and `raiseCustomersVersion` lock it too. SQLite has one writer at a time and needs no lock.
 */
export async function holdAccount(trx: Trx, accountId: number): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}
