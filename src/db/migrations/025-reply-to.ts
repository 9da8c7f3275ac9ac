import { type Kysely, sql } from 'kysely';

/** Gives messages an address that takes the replies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column reply_to text`.execute(db);
}
