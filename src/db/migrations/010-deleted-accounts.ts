import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Lets accounts be deleted. Only the row of a deleted account stays, without personal data, since the ledger refers to it.
 * Its audit log is deleted at any age, since it is about people.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const statements = [
    `alter table accounts add column deleted_at ${dialect === 'sqlite' ? 'integer' : 'bigint'}`,
    ...(dialect === 'sqlite' ? logOnSqlite() : logOnPostgres()),
  ];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const YEAR = 365 * 24 * 60 * 60;

const accountIsDeleted = 'exists (select 1 from accounts where id = old.account_id and deleted_at is not null)';

function logOnSqlite(): string[] {
  return [
    'drop trigger audit_log_no_delete',
    `create trigger audit_log_no_delete before delete on audit_log
       when old.at > (unixepoch() - ${YEAR}) * 1000 and not ${accountIsDeleted}
       begin select raise(abort, 'audit_log is append-only'); end`,
  ];
}

function logOnPostgres(): string[] {
  return [
    `create or replace function audit_log_append_only() returns trigger language plpgsql as $$ begin
       if tg_op = 'DELETE' and (old.at <= (extract(epoch from now()) - ${YEAR}) * 1000 or ${accountIsDeleted})
         then return old; end if;
       raise exception 'audit_log is append-only';
     end $$`,
  ];
}
