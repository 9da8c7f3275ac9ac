import { sql } from 'kysely';
import type { Dialect, Trx } from './database.ts';

/**
 * Lets the transaction take longer than a minute. Otherwise PostgreSQL would end it, so that a hanging request frees its
 * locks.
 */
export async function disableStatementTimeout(trx: Trx, dialect: Dialect): Promise<void> {
  if (dialect === 'sqlite') return;
  await sql`set local statement_timeout = 0`.execute(trx);
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
}
