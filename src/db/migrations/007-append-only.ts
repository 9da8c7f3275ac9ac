import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/**
 * Closes the ways around the ledger's triggers, `insert or replace` and `truncate`, and holds the accounts' logs to the
 * same rules. They guard against mistakes and injected SQL; whoever owns the tables can take them off.
 */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const statements =
    dialect === 'sqlite'
      ? [...noChanges('audit_log'), noReplacing('plan_changes'), noReplacing('audit_log')]
      : [...appendOnly('audit_log'), noTruncating('plan_changes'), noTruncating('audit_log')];
  for (const statement of statements) await sql.raw(statement).execute(db);
}

function noChanges(table: string): string[] {
  return ['update', 'delete'].map(
    (verb) =>
      `create trigger ${table}_no_${verb} before ${verb} on ${table} begin select raise(abort, '${table} is append-only'); end`,
  );
}

/**
 * SQLite deletes the row that `or replace` replaces without asking the triggers, unless the connection says that it
 * should, and not every connection is ours. A row without an id has the id -1 here: ids that are given out are above.
 */
function noReplacing(table: string): string {
  return `create trigger ${table}_no_replace before insert on ${table}
    when exists (select 1 from ${table} where id = new.id)
    begin select raise(abort, '${table} is append-only'); end`;
}

function appendOnly(table: string): string[] {
  return [
    `create function ${table}_append_only() returns trigger language plpgsql
       as $$ begin raise exception '${table} is append-only'; end $$`,
    `create trigger ${table}_append_only before update or delete on ${table}
       for each row execute function ${table}_append_only()`,
  ];
}

function noTruncating(table: string): string {
  return `create trigger ${table}_no_truncate before truncate on ${table}
    for each statement execute function ${table}_append_only()`;
}
