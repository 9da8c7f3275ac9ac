import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Lets a seller describe, order and limit its plans. Null means no limit. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const column of [
    `description text not null default ''`,
    `position ${int} not null default 0`,
    `max_pages ${int}`,
    `max_people ${int}`,
    `max_storage_bytes ${int}`,
    `max_domains ${int}`,
  ]) {
    await sql.raw(`alter table plans add column ${column}`).execute(db);
  }
}
