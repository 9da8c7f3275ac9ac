import { type Kysely, sql } from 'kysely';

/** Adds the currency of a seller's prices. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table accounts add column currency text').execute(db);
}
