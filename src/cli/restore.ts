import { restore } from '../operations/restore.ts';
import { count } from './backup.ts';
import { command } from './command.ts';
import { time } from './output.ts';

export const restoreCommand = command({
  about: 'Puts a backup into the database.',
  details:
    'The file is checked from end to end before anything is touched, and either all of it is restored or nothing. A\n' +
    'backup from an older version is brought to the schema of this one. The service may run, but requests wait meanwhile.\n' +
    'Mail that was still to be sent when the backup was made is sent again. Everybody is signed out, and links that were\n' +
    'mailed work no more.',
  positionals: ['FILE'],
  options: { replace: { type: 'boolean', about: 'Everything the database holds is lost.' } },
  example: 'freehold-backup.gz',
  database: 'any',
  async run({ db, positionals: [file = ''], values }) {
    const { createdAt, counts, migrated } = await restore(db, file, { replace: values.replace === true });
    const lines = [
      `Restored ${count(counts)} as they were at ${time(createdAt)}.`,
      ...migrated.map((name) => `Applied ${name}.`),
    ];
    return { text: lines.join('\n'), json: { created_at: time(createdAt), rows: counts, applied: migrated } };
  },
});
