import { type Kysely, sql } from 'kysely';

/**
 * Turns notes on domains from English sentences into codes. A domain that another account has taken keeps its note; the next
 * check writes new notes for the others. An unproved domain without a note counts as not checked yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update domains set last_error = '[{"code":"lost"}]'
    where last_error = 'Another account has proved that the domain is theirs.'`.execute(db);
  await sql`update domains set last_error = null, checked_at = case when verified_at is null then null else checked_at end
    where last_error is not null and last_error <> '[{"code":"lost"}]'`.execute(db);
}
