import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { restoreContinuous } from '../continuous-backup/restore-continuous.ts';
import type { Db } from '../db/database.ts';
import { type Restored, restore } from '../operations/restore.ts';
import { spoolBackup } from '../operations/spool-backup.ts';
import { parseTime } from '../parse-time.ts';
import { rowsInWords } from './backup.ts';
import { command, OptionError, UsageError } from './command.ts';
import { time } from './output.ts';

export const restoreCommand = command({
  about: 'Restores a backup into the database.',
  details:
    'The file is checked first. Either everything is restored or nothing. A backup from an older version is migrated. The\n' +
    'service may be running, but its requests wait. Mail that was queued when the backup was made is sent again. Everybody\n' +
    'is signed out, and mailed links stop working. With - in place of FILE, the backup is read from standard input. It is\n' +
    'kept in DATA_DIR until it is restored, and needs room there. FILE may be the folder of a continuous backup\n' +
    '(BACKUP_FOLDER), to restore its last state, or with --until an earlier one.',
  positionals: ['FILE'],
  options: {
    replace: { type: 'boolean', about: 'Discard the current content of the database.' },
    until: { type: 'string', value: 'TIME', about: 'The moment, like 2026-11-28T09:30:00Z. Only for a folder.' },
  },
  example: 'freehold-backup.zst',
  database: 'any',
  mayTakeLong: true,
  async run({ config, db, positionals: [file = ''], values }) {
    const replace = values.replace === true;
    const { dataDir } = config;
    const found = await stat(file).catch(() => undefined);
    const isFolder = found?.isDirectory() === true;
    const until = values.until === undefined ? undefined : parseMoment(values.until);
    // If there is no such file, the restore reports that.
    if (until !== undefined && found && !isFolder) {
      throw new OptionError('until', `is only for the folder of a continuous backup, which "${file}" is not`);
    }
    const { createdAt, counts, migrated, ignored } = isFolder
      ? await restoreContinuous(db, file, { replace, until, dataDir })
      : { ...(await restoreFrom(db, file, { replace, folder: dataDir })), ignored: undefined };
    const lines = [
      `Restored ${rowsInWords(counts)} as they were at ${time(createdAt)}.`,
      ...(ignored === undefined ? [] : [`The last changes, "${ignored}", are incomplete, and were left out.`]),
      ...migrated.map((name) => `Applied ${name}.`),
    ];
    return { text: lines.join('\n'), json: { created_at: time(createdAt), rows: counts, applied: migrated } };
  },
});

function parseMoment(text: string): number {
  const moment = parseTime(text);
  if (Number.isNaN(moment)) throw new OptionError('until', 'is not a time like 2026-11-28T09:30:00Z');
  return moment;
}

/** Restores from a file, from standard input, or from a pipe that can be read only once, such as `<(gpg -d FILE)`. */
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
