import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds the page that the second button of a home page leads to. It has no foreign key: a deleted page may be restored. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table accounts add column second_button_page_id ${int}`).execute(db);
}
