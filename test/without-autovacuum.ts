import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';

/** Keeps PostgreSQL from looking at the tables by itself, which it does at any moment and which changes its plans. */
export async function withoutAutovacuum(db: Db): Promise<void> {
  const { rows } = await sql<{
    name: string;
  }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db);
  for (const { name } of rows) await sql`alter table ${sql.table(name)} set (autovacuum_enabled = false)`.execute(db);
}
