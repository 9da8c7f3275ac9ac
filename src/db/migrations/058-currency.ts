import { type Kysely, sql } from 'kysely';

/** Lets a seller say in which currency its prices are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table accounts add column currency text').execute(db);
}
