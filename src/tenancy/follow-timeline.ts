import type { NewConnection } from '../db/new-connection.ts';
import { raiseAllVersions } from './raise-all-versions.ts';
import { skipIds } from './skip-ids.ts';

/**
 * SQL for the server and its timeline. They change when a standby server is promoted or a copy is recovered. Null on a standby
 * server, which must not be used.
 */
const PRESENT = `case when pg_is_in_recovery() then null else
  (select system_identifier from pg_control_system()) || '-' || left(pg_walfile_name(pg_current_wal_lsn()), 8) end`;

/**
 * Compares the server and timeline of a new connection with those that the database was last used on. If they differ, the
 * last commits may be lost, or the database may be in an earlier state. All versions are then raised, and ids that may have
 * been assigned are skipped, before any request is answered. Returns true if that was done.
 * @throws Error with the code 25006 on a standby server
 */
export async function followTimeline(connection: NewConnection): Promise<boolean> {
  const present = await timelines(connection);
  if (!present || present.now === present.known) return false;
  if (present.now === null) {
    throw Object.assign(new Error('The server is a standby: it cannot be written to.'), { code: '25006' });
  }
  await connection.query('begin');
  try {
    await connection.query("set local statement_timeout = '60s'");
    // Other connections wait for the first one that notices the change, and then find it handled.
    await connection.query('select timeline from database_timeline for update');
    const known = (await timelines(connection))!.known;
    const isChanged = known !== '' && known !== present.now;
    if (isChanged) {
      const now = Date.now();
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
    if (isTimelineUnavailable(error)) return undefined;
    throw error;
  }
}

/**
 * True if the server does not tell its timeline: it lacks the functions, does not allow them, or is not PostgreSQL itself.
 */
function isTimelineUnavailable(error: unknown): boolean {
  const codes = ['42501', '42883', '0A000'];
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
