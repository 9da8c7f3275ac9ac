import { backup } from '../operations/backup.ts';
import { command } from './command.ts';

export const backupCommand = command({
  about: 'Writes the whole database to a file.',
  details:
    'The service may run meanwhile: the backup contains the state of one moment. An existing file is replaced once the\n' +
    'new one is complete. If the SQLite file is damaged, no backup is made. The same file restores to SQLite and to\n' +
    'PostgreSQL. It contains password hashes and mail, so only its owner may read it.',
  positionals: ['FILE'],
  example: 'freehold-backup.zst',
  database: 'existing',
  mayTakeLong: true,
  async run({ db, positionals: [file = ''] }) {
    const rows = await backup(db, file);
    return { text: `Backed up ${count(rows)} to ${file}.`, json: { file, rows } };
  },
});

/** Returns the size of a backup in the operator's terms. */
export function count({ accounts = 0, pages = 0 }: Record<string, number>): string {
  return `${accounts === 1 ? '1 account' : `${accounts} accounts`} and ${pages === 1 ? '1 page' : `${pages} pages`}`;
}
