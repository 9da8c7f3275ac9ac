import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { appliedMigrations, pendingMigrations, unknownMigrations } from '../db/migrate.ts';
import { snapshot } from '../db/snapshot.ts';
import { takeTime } from '../db/take-time.ts';
import type { MediaStore } from '../media/store.ts';
import { checkAppendOnly } from './check-append-only.ts';
import { checkDeleted } from './check-deleted.ts';
import { checkDomains, lostProofs } from './check-domains.ts';
import { checkLedger } from './check-ledger.ts';
import { checkMedia, checkStore, type ExpectedFiles, unusedImages } from './check-media.ts';
import { checkNames } from './check-names.ts';
import { checkOutbox } from './check-outbox.ts';
import { checkPages } from './check-pages.ts';
import { checkPeople } from './check-people.ts';
import { checkPlans } from './check-plans.ts';
import { checkReferences } from './check-references.ts';
import { Findings, type Problem } from './findings.ts';

export interface Diagnosis {
  problems: Problem[];
  /** Worth knowing, but nothing that is wrong with the data. */
  notes: Problem[];
}

/**
 * Looks the whole database through, as it is at one moment and while the service goes on, and whether the store has the
 * files of its images. Changes nothing.
 */
export async function examine(db: Db, store: MediaStore): Promise<Diagnosis> {
  const { findings, notes, files } = await examineDatabase(db);
  // Afterwards, so that no snapshot is held open meanwhile; and where the database is older, nothing is known of files.
  if (files) notes.push(...(await checkStore(files, store, findings)));
  return { problems: findings.problems(), notes };
}

interface Examined {
  findings: Findings;
  notes: Problem[];
  files: ExpectedFiles | undefined;
}

function examineDatabase(db: Db): Promise<Examined> {
  const dialect = dialectOf(db);
  return snapshot(db, async (trx) => {
    await takeTime(trx, dialect);
    const findings = new Findings();
    await checkMigrations(trx, findings);
    // The other checks know this version's tables only.
    const isCurrent = findings.problems().length === 0;
    if (dialect === 'sqlite') await checkFile(trx, findings);
    if (!isCurrent) return { findings, notes: [], files: undefined };
    await checkReferences(trx, findings);
    await checkNames(trx, findings);
    await checkPages(trx, findings);
    await checkPlans(trx, findings);
    await checkAppendOnly(trx, findings);
    await checkLedger(trx, findings);
    await checkOutbox(trx, findings, Date.now());
    await checkDomains(trx, findings);
    await checkPeople(trx, findings);
    await checkDeleted(trx, findings);
    const files = await checkMedia(trx, findings);
    const notes = [...(await failedMail(trx)), ...(await lostProofs(trx)), ...(await unusedImages(trx))];
    return { findings, notes, files };
  });
}

async function checkMigrations(trx: Trx, findings: Findings): Promise<void> {
  for (const name of await pendingMigrations(trx)) findings.add('migrations', `${name} has not been applied.`);
  for (const name of unknownMigrations(await appliedMigrations(trx))) {
    findings.add('migrations', `${name} is not known: the database was made by a newer version.`);
  }
}

/** What SQLite itself can tell of its file. */
async function checkFile(trx: Trx, findings: Findings): Promise<void> {
  const integrity = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(trx);
  for (const { integrity_check: message } of integrity.rows) {
    if (message !== 'ok') findings.add('integrity', message);
  }
  const keys = await sql<{ table: string; rowid: number; parent: string }>`
    select "table", "rowid", "parent" from pragma_foreign_key_check order by 1, 2 limit 1000`.execute(trx);
  for (const { table, rowid, parent } of keys.rows) {
    findings.add('foreign keys', `row ${rowid} of ${table} refers to a row of ${parent} that is not there.`);
  }
}

async function failedMail(trx: Trx): Promise<Problem[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from outbox where status = 'failed'`.execute(trx);
  const count = Number(rows[0]?.count ?? 0);
  if (count === 0) return [];
  return [
    {
      check: 'outbox',
      message: `${count === 1 ? '1 message' : `${count} messages`} could not be sent: see mail list --status failed.`,
    },
  ];
}
