import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Gives mail that is only written to a file a status of its own. It had the status `sent`, a sentence as its last error, and
 * the time at which the file was written.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  for (const statement of [
    ...(dialect === 'sqlite' ? outboxAnew() : outboxAltered()),
    `update outbox set status = 'kept', sent_at = null, last_error = null where ${WAS_KEPT}`,
    "create index outbox_kept on outbox (created_at) where status = 'kept'",
  ]) {
    await sql.raw(statement).execute(db);
  }
}

const STATUSES = "status in ('queued', 'sent', 'kept', 'failed')";
const WAS_KEPT = "status = 'sent' and last_error is not null";

function outboxAltered(): string[] {
  return [
    'alter table outbox drop constraint outbox_status_check',
    `alter table outbox add constraint outbox_status_check check (${STATUSES})`,
  ];
}

/** Replaces the table, since SQLite cannot change the check of a table. The new table continues the old one's ids. */
function outboxAnew(): string[] {
  const columns =
    'id, account_id, message_id, from_name, to_name, to_email, subject, text, html, status, attempts, due_at, claimed_by, ' +
    'last_error, created_at, sent_at, secret';
  return [
    `create table new_outbox (
      id integer primary key autoincrement,
      account_id integer not null references accounts (id),
      message_id text not null,
      from_name text not null,
      to_name text not null,
      to_email text not null,
      subject text not null,
      text text not null,
      html text not null,
      status text not null check (${STATUSES}),
      attempts integer not null default 0,
      due_at integer not null,
      claimed_by text,
      last_error text,
      created_at integer not null,
      sent_at integer,
      secret text
    ) strict`,
    `insert into new_outbox (${columns}) select ${columns} from outbox`,
    "delete from sqlite_sequence where name = 'new_outbox'",
    "insert into sqlite_sequence (name, seq) select 'new_outbox', seq from sqlite_sequence where name = 'outbox'",
    'drop table outbox',
    'alter table new_outbox rename to outbox',
    'create index outbox_account on outbox (account_id, id)',
    "create index outbox_due on outbox (due_at) where status = 'queued'",
    "create index outbox_failed on outbox (id) where status = 'failed'",
    "create index outbox_sent on outbox (created_at) where status = 'sent'",
  ];
}
