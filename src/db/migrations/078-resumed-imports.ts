import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds who resumed an import of customers last: it stops if they may not any more. Of imports that exist it is not known. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  await sql.raw(`alter table customer_imports add column resumed_by ${int}`).execute(db);
}
