import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds the API key with which something was done. It has no foreign key: the check would lock the key after the account with
 * every creation, while a deletion of the account locks them the other way round. `doctor` checks the reference instead.
 * Entries of people get an index of their own, since programs can add a hundred thousand entries in between.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    `alter table audit_log add column api_key_id ${dialect === 'sqlite' ? 'integer' : 'bigint'}`,
    'create index audit_log_people on audit_log (account_id, id) where api_key_id is null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
