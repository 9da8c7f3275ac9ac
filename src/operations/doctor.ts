import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { disableStatementTimeout } from '../db/disable-statement-timeout.ts';
import { appliedMigrations, pendingMigrations, unknownMigrations } from '../db/migrate.ts';
import { snapshot } from '../db/snapshot.ts';
import type { MediaStore } from '../media/store.ts';
import { checkAppendOnly } from './check-append-only.ts';
import { checkDeleted } from './check-deleted.ts';
import { checkDomains, lostProofs } from './check-domains.ts';
import { checkImageUses } from './check-image-uses.ts';
import { checkLedger } from './check-ledger.ts';
import { checkMedia, checkStore } from './check-media.ts';
import { checkNames } from './check-names.ts';
import { checkOutbox } from './check-outbox.ts';
import { checkPageBytes } from './check-page-bytes.ts';
import { checkPages } from './check-pages.ts';
import { checkPeople } from './check-people.ts';
import { checkPlans } from './check-plans.ts';
import { checkReferences } from './check-references.ts';
import { checkRevenue } from './check-revenue.ts';
import { checkSearch } from './check-search.ts';
import { checkSqliteFile } from './check-sqlite-file.ts';
import { Findings, type Problem } from './findings.ts';
import { readAhead } from './read-ahead.ts';

interface Diagnosis {
  problems: Problem[];
  /** Facts worth knowing that are not errors in the data. */
  notes: Problem[];
}

/**
 * Checks the whole database at one moment, while the service keeps running, and whether the store has the files of its
 * images. Changes nothing.
 */
export async function examine(db: Db, store: MediaStore): Promise<Diagnosis> {
  await readAhead(db);
  const { findings, notes, isCurrent } = await examineDatabase(db);
  // Runs after the snapshot has ended, to keep it short. A database with an older schema has no list of files to compare.
  if (isCurrent) notes.push(...(await checkStore(db, store, findings)));
  return { problems: findings.problems(), notes };
}

interface Examined {
  findings: Findings;
  notes: Problem[];
  isCurrent: boolean;
}

function examineDatabase(db: Db): Promise<Examined> {
  const dialect = dialectOf(db);
  return snapshot(db, async (trx) => {
    await disableStatementTimeout(trx, dialect);
    const findings = new Findings();
    await checkMigrations(trx, findings);
    // The other checks require the current schema.
    const isCurrent = findings.problems().length === 0;
    if (dialect === 'sqlite') await checkSqliteFile(trx, findings);
    if (!isCurrent) return { findings, notes: [], isCurrent };
    await checkReferences(trx, findings);
    await checkNames(trx, findings);
    await checkPages(trx, findings);
    await checkPageBytes(trx, findings);
    await checkPlans(trx, findings);
    await checkAppendOnly(trx, findings);
    await checkLedger(trx, findings);
    // The revenue follows from the ledger, so errors in the ledger would only be reported twice.
    if (!findings.problems().some(({ check }) => check === 'ledger')) await checkRevenue(trx, findings);
    await checkOutbox(trx, findings, Date.now());
    await checkDomains(trx, findings);
    await checkPeople(trx, findings);
    const unfinished = await checkDeleted(trx, findings);
    await checkMedia(trx, findings);
    await checkSearch(trx, findings);
    const unused = await checkImageUses(trx, findings);
    const notes = [...unfinished, ...(await failedMail(trx)), ...(await lostProofs(trx)), ...unused];
    return { findings, notes, isCurrent };
  });
}

async function checkMigrations(trx: Trx, findings: Findings): Promise<void> {
  for (const name of await pendingMigrations(trx)) findings.add('migrations', `${name} has not been applied.`);
  for (const name of unknownMigrations(await appliedMigrations(trx))) {
    findings.add('migrations', `${name} is unknown: the database was made by a newer version.`);
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
