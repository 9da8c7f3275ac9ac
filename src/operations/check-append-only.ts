import { sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';

/** Checks that the triggers that protect the ledger and the audit logs exist and are enabled. */
export async function checkAppendOnly(trx: Trx, findings: Findings): Promise<void> {
  await checkTriggers(trx, 'plan_changes', (message) => findings.add('ledger', message));
  await checkTriggers(trx, 'audit_log', (message) => findings.add('log', message));
}

async function checkTriggers(trx: Trx, table: string, report: (message: string) => void): Promise<void> {
  const sqlite = dialectOf(trx) === 'sqlite';
  const wanted = sqlite ? ['no_update', 'no_delete', 'no_replace'] : ['append_only', 'no_truncate'];
  const { rows } = await (sqlite
    ? sql<{ name: string }>`select name from sqlite_master where type = 'trigger' and tbl_name = ${table}`
    : sql<{ name: string }>`select tgname as name from pg_trigger
        where tgrelid = ${table}::regclass and tgenabled in ('O', 'A')`
  ).execute(trx);
  const found = new Set(rows.map(({ name }) => name));
  for (const name of wanted.map((end) => `${table}_${end}`)) {
    if (!found.has(name)) report(`its lines can be changed: the trigger ${name} is missing or disabled.`);
  }
}
