import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds what the trash lists: the number of pages of each deletion, and the user who deleted an image. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const sqlite = dialect === 'sqlite';
  const pages = `(select count(*) from removed_pages
    where removed_pages.account_id = undos.account_id and removed_pages.undo_id = undos.id)`;
  for (const statement of [
    `update undos set payload = ${
      sqlite
        ? `json_set(payload, '$.pages', ${pages})`
        : `cast(jsonb_set(cast(payload as jsonb), '{pages}', to_jsonb(${pages})) as text)`
    } where kind = 'delete'`,
    "create index undos_deletions on undos (account_id, id) where kind = 'delete' and used_at is null",
    'create index removed_pages_place on removed_pages (account_id, coalesce(parent_id, 0), undo_id, position)',
    // There is no foreign key: SQLite cannot add a composite one to a table. Users' rows stay as long as their account's
    // images.
    `alter table media add column removed_by ${sqlite ? 'integer' : 'bigint'}`,
    'create index media_trash on media (account_id, removed_at, id) where removed_at is not null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
