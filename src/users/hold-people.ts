import { dialectOf, type Trx } from '../db/database.ts';

/**
 * Keeps everybody waiting who wants to change or remove people of the account, until the transaction ends. To be done
 * first. On SQLite they wait anyway.
 */
export async function holdPeople(trx: Trx, accountId: number): Promise<void> {
  if (dialectOf(trx) === 'sqlite') return;
  // Whoever changes people raises the account's version first, which takes this lock.
  await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
}
