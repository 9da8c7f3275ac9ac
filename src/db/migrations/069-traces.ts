import { type Kysely, sql } from 'kysely';

/** Adds the request that queued a message or caused an audit event, as its header `traceparent`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'alter table outbox add column traceparent text',
    'alter table audit_log add column traceparent text',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
