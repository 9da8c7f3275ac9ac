import { type Kysely, sql } from 'kysely';

/** Drops an index of redirects: `redirects_in_order` begins with the same columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index redirects_page`.execute(db);
}
