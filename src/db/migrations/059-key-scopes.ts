import { type Kysely, sql } from 'kysely';

/** Lets an API key be limited to some operations. Existing keys may do everything, as before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table api_keys add column scopes text').execute(db);
}
