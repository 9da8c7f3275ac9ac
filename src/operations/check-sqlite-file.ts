import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';

/** Runs SQLite's own checks of its file: damage, and rows whose references are missing. */
export async function checkSqliteFile(trx: Trx, findings: Findings): Promise<void> {
  const integrity = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(trx);
  // One row can contain several messages, one a line, below the name of the database.
  const lines = integrity.rows.flatMap(({ integrity_check: messages }) => messages.split('\n'));
  for (const line of lines) {
    if (line !== 'ok' && !line.startsWith('***')) findings.add('integrity', line);
  }
  const keys = await sql<{ table: string; rowid: number; parent: string }>`
    select "table", "rowid", "parent" from pragma_foreign_key_check order by 1, 2 limit 1000`.execute(trx);
  for (const { table, rowid, parent } of keys.rows) {
    findings.add('foreign keys', `row ${rowid} of ${table} refers to a row of ${parent} that does not exist.`);
  }
}
