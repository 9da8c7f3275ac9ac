import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Db } from '../db/database.ts';
import { archiveFolder } from './requests.ts';

/** The minimum age of a deleted file without an archive. A younger file may still be being written. */
const MIN_AGE_MS = 6 * 60 * 60 * 1000;

/** Deletes expired archives, and files that no archive refers to. Returns the number of deleted files. */
export async function pruneArchives(db: Db, dataDir: string, now = Date.now()): Promise<number> {
  await db.transaction().execute((trx) => trx.deleteFrom('account_archives').where('expires_at', '<=', now).execute());
  const rows = await db.selectFrom('account_archives').select('file').where('file', 'is not', null).execute();
  const used = new Set(rows.map(({ file }) => file));
  const folder = archiveFolder(dataDir);
  let count = 0;
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const found = used.has(name) ? undefined : await stat(path).catch(() => undefined);
    if (!found || found.mtimeMs > now - MIN_AGE_MS) continue;
    await rm(path, { force: true });
    count += 1;
  }
  return count;
}
