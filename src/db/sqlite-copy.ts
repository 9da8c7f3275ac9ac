import { backup, DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { createPrivately } from './create-privately.ts';
import type { Db } from './database.ts';
import { isBusy } from './sqlite-group-commit.ts';

const MAX_PAGES_PER_STEP = 2 ** 31 - 1;
/** How long opening the file waits while other processes open it too. */
const OPEN_TIMEOUT_MS = 10_000;

/** Returns the path of SQLite's file and the size of the database in bytes, including what is only in the log. */
export async function measureSqlite(db: Db): Promise<{ file: string; bytes: number }> {
  const { rows } = await sql<{ file: string; bytes: number }>`
    select file, page_count * page_size as bytes from pragma_database_list, pragma_page_count, pragma_page_size
    where name = 'main'`.execute(db);
  return rows[0]!;
}

/**
 * Copies a database file, as it is at one moment, while others write. The copy is made in one step, in a thread. Until it is
 * done, the log grows by everything that is written. In several steps, SQLite would start over whenever another process has
 * written.
 */
export async function copySqlite(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true, timeout: OPEN_TIMEOUT_MS });
  try {
    await backup(source, target, { rate: MAX_PAGES_PER_STEP });
  } finally {
    source.close();
  }
}

/**
 * Takes a lock that all processes of the machine respect, and that ends with this process, however it ends. Returns a
 * function that releases it, or undefined if another process has it. The lock file is empty and stays.
 */
export function lockFile(file: string): (() => void) | undefined {
  createPrivately(file);
  const database = new DatabaseSync(file);
  try {
    // The journal is in memory, so that there is no other file.
    database.exec('pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
  return () => database.close();
}
