import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * By which API key something was done. Without a foreign key: its check would lock the key with every creation, after the
 * account, and who deletes an account locks them the other way round; `doctor` looks instead. What people did has an
 * index of its own, for programs can bury it under a hundred thousand entries.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    `alter table audit_log add column api_key_id ${dialect === 'sqlite' ? 'integer' : 'bigint'}`,
    'create index audit_log_people on audit_log (account_id, id) where api_key_id is null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
