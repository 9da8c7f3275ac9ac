import { dialectOf, type Trx } from '../db/database.ts';

/**
 * Locks the account's row until the transaction ends. All other transactions that change the account, its users, images
 * or keys, or delete it, wait. A transaction that locks any row of an account locks this row first, which prevents
 * deadlocks; `raiseContentVersion` and `raiseCustomersVersion` lock it, too. SQLite has one writer at a time and needs no lock.
 */
export async function lockAccount(trx: Trx, accountId: number): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}

/**
 * Locks the account's row as strongly as a change of its subdomain or its deletion needs. Unlike `lockAccount`, also prevents
 * other transactions from adding rows that refer to the account.
 */
export async function lockWholeAccount(trx: Trx, accountId: number): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute();
}
