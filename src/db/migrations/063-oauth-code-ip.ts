import { type Kysely, sql } from 'kysely';

/** Adds where a person was who allowed a program a key: the log has it of the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table oauth_codes add column ip text').execute(db);
}
