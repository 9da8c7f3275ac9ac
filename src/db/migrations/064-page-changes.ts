import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Adds what finds the pages that were changed or deleted since a content version. Earlier deletions have no version, and
 * earlier moves left no trace, so changes are known from the current version on. Creations write nothing to the new indexes.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const statement of [
    `alter table accounts add column changes_known_from ${int} not null default 0`,
    'update accounts set changes_known_from = content_version',
    'alter table pages add column has_changed integer not null default 0',
    'create index pages_changed on pages (account_id, version) where has_changed = 1',
    `alter table undos add column version ${int} not null default 0`,
    "create index undos_version on undos (account_id, version) where kind = 'delete'",
  ]) {
    await sql.raw(statement).execute(db);
  }
}
