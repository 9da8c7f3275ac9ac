import { createReadStream, createWriteStream } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { DAMAGED_FILE_ADVICE } from '../db/damage.ts';
import { openDatabase } from '../db/open-database.ts';
import { snapshot } from '../db/snapshot.ts';
import { AppError } from '../errors.ts';
import { checkSqliteFile } from '../operations/check-sqlite-file.ts';
import { Findings } from '../operations/findings.ts';
import { replaceFile } from '../replace-file.ts';
import { COMPRESSION, encodeSnapshot, type SnapshotHeader, snapshotName } from './format.ts';

export interface SnapshotJob {
  /** A copy of the database that no other connection has open. */
  copy: string;
  /** The folder of the series. */
  folder: string;
  header: SnapshotHeader;
}

/**
 * Checks a copy of the database, and writes it to the series.
 * @throws AppError `unavailable` if the database is damaged; `invalid` if the file cannot be written
 */
export async function writeSnapshot({ copy, folder, header }: SnapshotJob): Promise<void> {
  await checkCopy(copy);
  await replaceFile(join(folder, snapshotName(header)), 'backup', async (path) => {
    await pipeline(
      encodeSnapshot(header, createReadStream(copy, { highWaterMark: 1024 * 1024 })),
      createZstdCompress(COMPRESSION),
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    );
  });
}

async function checkCopy(copy: string): Promise<void> {
  const db = await openDatabase({ dataDir: dirname(copy), databaseUrl: '', databasePool: 1 });
  const findings = new Findings();
  try {
    await snapshot(db, (trx) => checkSqliteFile(trx, findings));
  } finally {
    await db.destroy();
  }
  const [first] = findings.problems();
  if (!first) return;
  throw new AppError(
    'unavailable',
    `the database is damaged (${first.message}). Stop the service, ${DAMAGED_FILE_ADVICE} from before the damage`,
  );
}
