import type { NewConnection } from '../db/new-connection.ts';
import { raiseAllVersions } from './raise-all-versions.ts';
import { skipIds } from './skip-ids.ts';

/**
 * The server and its timeline. Another one has the database when a standby server was promoted, or a copy recovered. It is null on
 * a standby server, which is not the one to use.
 */
const PRESENT = `case when pg_is_in_recovery() then null else
  (select system_identifier from pg_control_system()) || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) end`;

/**
 * Compares the server and timeline of a new connection with those that the database was last used on. Where they differ, the last
 * commits may be lost, or everything may be as it was at an earlier moment, so all versions are raised, and ids that may have been
 * given out are skipped, before anything is answered.
 * Returns whether they were.
 * @throws Error with the code 25006 on a standby server
 */
export async function followTimeline(connection: NewConnection, now = Date.now()): Promise<boolean> {
  const present = await timelines(connection);
  if (!present || present.now === present.known) return false;
  if (present.now === null) {
    throw Object.assign(new Error('The server is a standby: it cannot be written to.'), { code: '25006' });
  }
  await connection.query('begin');
  try {
    await connection.query("set local statement_timeout = '60s'");
    // Others wait for the first that notices it, and find it done.
    await connection.query('select timeline from database_timeline for update');
    const known = (await timelines(connection))!.known;
    const isChanged = known !== '' && known !== present.now;
    if (isChanged) {
      const execute = (sql: string) => connection.query(sql);
      await raiseAllVersions(execute, now);
      await skipIds(execute, 'postgres', now);
    }
    await connection.query('update database_timeline set timeline = $1', [present.now]);
    await connection.query('commit');
    return isChanged;
  } catch (error) {
    await connection.query('rollback').catch(() => {});
    throw error;
  }
}

async function timelines(connection: NewConnection): Promise<{ now: string | null; known: string } | undefined> {
  try {
    const { rows } = await connection.query(
      `select ${PRESENT} as now, (select timeline from database_timeline) as known`,
    );
    return rows[0] as { now: string | null; known: string };
  } catch (error) {
    if (isNotTold(error)) return undefined;
    throw error;
  }
}

/** Whether the server does not tell its timeline: it lacks the functions, does not allow them, or is no PostgreSQL at all. */
function isNotTold(error: unknown): boolean {
  const codes = ['42501', '42883', '0A000'];
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
