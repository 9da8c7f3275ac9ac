import { type Kysely, sql } from 'kysely';

/** Adds an index of the audit events of an account that concern one of its customers: a small part of most logs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      "create index audit_log_customers on audit_log (account_id, subject, id) where substr(subject, 1, 9) = 'customer_'",
    )
    .execute(db);
}
