import { type Kysely, sql } from 'kysely';

/** Notes which request has queued a message, and which has done what the log says: as the header `traceparent`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'alter table outbox add column traceparent text',
    'alter table audit_log add column traceparent text',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
