import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';

/** Turns autovacuum off, which analyses tables at any moment and so changes query plans. */
export async function withoutAutovacuum(db: Db): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  for (const { name } of rows) await sql`alter table ${sql.table(name)} set (autovacuum_enabled = false)`.execute(db);
}
