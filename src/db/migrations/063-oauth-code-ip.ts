import { type Kysely, sql } from 'kysely';

/** Adds the IP address of the person who authorized a program, for the audit event of the key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw('alter table oauth_codes add column ip text').execute(db);
}
