import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds what finds the last change of a page that can be undone, leaving out changes that undid another one. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const sqlite = dialect === 'sqlite';
  const pageId = sqlite ? "json_extract(payload, '$.pageId')" : "cast(cast(payload as json) ->> 'pageId' as bigint)";
  for (const statement of [
    `alter table undos add column page_id ${sqlite ? 'integer' : 'bigint'}`,
    `update undos set page_id = ${pageId}`,
    'alter table undos add column is_undo integer not null default 0',
    'create index undos_page on undos (account_id, page_id, id) where used_at is null and is_undo = 0',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
