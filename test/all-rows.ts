import { sql } from 'kysely';
import type { Db } from '../src/db/database.ts';

/** Returns all rows of all tables of a SQLite database, including those of its search indexes. */
export async function allRows(db: Db): Promise<Record<string, unknown[]>> {
  const { rows: tables } = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table' order by name`.execute(db);
  const found: Record<string, unknown[]> = {};
  for (const { name } of tables) found[name] = (await sql`select * from ${sql.table(name)}`.execute(db)).rows;
  return found;
}
