import { type Kysely, sql } from 'kysely';

/** Adds an address for replies to messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column reply_to text`.execute(db);
}
