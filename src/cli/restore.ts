import { restore } from '../operations/restore.ts';
import { count } from './backup.ts';
import { command } from './command.ts';
import { time } from './output.ts';

export const restoreCommand = command({
  about: 'Restores a backup into the database.',
  details:
    'The file is checked first. Then everything is restored, or nothing. A backup from an older version is migrated. The\n' +
    'service may run, but requests wait meanwhile. Mail that was queued when the backup was made is sent again. Everybody\n' +
    'is signed out, and mailed links stop working.',
  positionals: ['FILE'],
  options: { replace: { type: 'boolean', about: 'Discard the current content of the database.' } },
  example: 'freehold-backup.zst',
  database: 'any',
  mayTakeLong: true,
  async run({ db, positionals: [file = ''], values }) {
    const { createdAt, counts, migrated } = await restore(db, file, { replace: values.replace === true });
    const lines = [
      `Restored ${count(counts)} as they were at ${time(createdAt)}.`,
      ...migrated.map((name) => `Applied ${name}.`),
    ];
    return { text: lines.join('\n'), json: { created_at: time(createdAt), rows: counts, applied: migrated } };
  },
});
