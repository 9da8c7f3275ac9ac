import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Db } from '../db/database.ts';
import { type Restored, restore } from '../operations/restore.ts';
import { spoolBackup } from '../operations/spool-backup.ts';
import { count } from './backup.ts';
import { command, UsageError } from './command.ts';
import { time } from './output.ts';

export const restoreCommand = command({
  about: 'Restores a backup into the database.',
  details:
    'The file is checked first. Then everything is restored, or nothing. A backup from an older version is migrated. The\n' +
    'service may run, but requests wait meanwhile. Mail that was queued when the backup was made is sent again. Everybody\n' +
    'is signed out, and mailed links stop working. With - in place of FILE, the backup is read from standard input. It is\n' +
    'kept in DATA_DIR until it is restored, and needs room there.',
  positionals: ['FILE'],
  options: { replace: { type: 'boolean', about: 'Discard the current content of the database.' } },
  example: 'freehold-backup.zst',
  database: 'any',
  mayTakeLong: true,
  async run({ config, db, positionals: [file = ''], values }) {
    const options = { replace: values.replace === true, folder: config.dataDir };
    const { createdAt, counts, migrated } = await restoreFrom(db, file, options);
    const lines = [
      `Restored ${count(counts)} as they were at ${time(createdAt)}.`,
      ...migrated.map((name) => `Applied ${name}.`),
    ];
    return { text: lines.join('\n'), json: { created_at: time(createdAt), rows: counts, applied: migrated } };
  },
});

/** Restores from a file, from standard input, or from what can be read only once, such as `<(gpg -d FILE)` in a shell. */
async function restoreFrom(
  db: Db,
  file: string,
  { replace, folder }: { replace: boolean; folder: string },
): Promise<Restored> {
  if (file === '-' && process.stdin.isTTY) throw new UsageError('Standard input is a terminal, not a backup.');
  const isFile = file !== '-' && (await stat(file).catch(() => undefined))?.isFIFO() !== true;
  if (isFile) return restore(db, file, { replace });
  const spooled = await spoolBackup(file === '-' ? process.stdin : createReadStream(file), folder);
  try {
    return await restore(db, spooled, { replace });
  } finally {
    await spooled.close();
  }
}
