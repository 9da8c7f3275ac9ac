import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import { lockSchema } from '../db/migrate.ts';
import { raiseAllVersions } from '../tenancy/raise-all-versions.ts';
import { skipIds } from '../tenancy/skip-ids.ts';
import { endOpenSessions } from './end-open-sessions.ts';

/** The counts of what a recovery ends, or would end. */
export interface Recovery {
  accounts: number;
  sessions: number;
  links: number;
  /** The number of queued messages. They may have been sent after the moment to which the database was set back. */
  queuedMail: number;
}

/** Returns the counts of what `recover` would end. */
export async function previewRecovery(db: Db | Trx): Promise<Recovery> {
  const { rows } = await sql<Recovery>`select
    (select count(*) from accounts where deleted_at is null) as accounts,
    (select count(*) from sessions where ended_at is null) as sessions,
    (select count(*) from one_time_links where used_at is null) as links,
    (select count(*) from outbox where status = 'queued') as "queuedMail"`.execute(db);
  return rows[0]!;
}

/**
 * Makes a database safe to use after it was set back to an earlier moment without `restore`: by a copy of its files, a disk
 * snapshot or a point-in-time recovery. Invalidates cached answers, skips ids that may have been assigned since, and ends
 * sessions and links.
 */
export function recover(db: Db): Promise<Recovery> {
  return db.transaction().execute(async (trx) => {
    const dialect = dialectOf(db);
    await disableStatementTimeout(trx, dialect);
    await lockSchema(trx, dialect);
    const done = await previewRecovery(trx);
    const execute = (text: string) => sql.raw(text).execute(trx);
    await raiseAllVersions(execute, Date.now());
    await skipIds(execute, dialect);
    await endOpenSessions(trx);
    return done;
  });
}
