import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Closes the ways around the ledger's triggers: `insert or replace` and `truncate`. The accounts' audit logs get the same
 * rules, except that lines may be deleted after a year. The triggers guard against mistakes and injected SQL; the owner of
 * the tables can remove them.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const statements =
    dialect === 'sqlite'
      ? [...onlyOldLinesRemoved(), noReplacing('plan_changes'), noReplacing('audit_log')]
      : [...onlyOldLinesRemovedOnPostgres(), noTruncating('plan_changes'), noTruncating('audit_log')];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const YEAR = 365 * 24 * 60 * 60;

function onlyOldLinesRemoved(): string[] {
  const refuse = `begin select raise(abort, 'audit_log is append-only'); end`;
  return [
    `create trigger audit_log_no_update before update on audit_log ${refuse}`,
    `create trigger audit_log_no_delete before delete on audit_log
       when old.at > (unixepoch() - ${YEAR}) * 1000 ${refuse}`,
  ];
}

/**
 * Returns a trigger that refuses a row whose id exists. `or replace` deletes the old row without firing the other triggers,
 * unless the connection is set to do so, and not every connection is ours. A new row without an id has the id -1 in the
 * trigger, which no existing row has.
 */
function noReplacing(table: string): string {
  return `create trigger ${table}_no_replace before insert on ${table}
    when exists (select 1 from ${table} where id = new.id)
    begin select raise(abort, '${table} is append-only'); end`;
}

function onlyOldLinesRemovedOnPostgres(): string[] {
  return [
    `create function audit_log_append_only() returns trigger language plpgsql as $$ begin
       if tg_op = 'DELETE' and old.at <= (extract(epoch from now()) - ${YEAR}) * 1000 then return old; end if;
       raise exception 'audit_log is append-only';
     end $$`,
    `create trigger audit_log_append_only before update or delete on audit_log
       for each row execute function audit_log_append_only()`,
  ];
}

function noTruncating(table: string): string {
  return `create trigger ${table}_no_truncate before truncate on ${table}
    for each statement execute function ${table}_append_only()`;
}
