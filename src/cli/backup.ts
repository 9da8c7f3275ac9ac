import { backup, backupToPipe } from '../operations/backup.ts';
import { command, UsageError } from './command.ts';
import { counted } from './output.ts';

export const backupCommand = command({
  about: 'Writes the whole database to a file.',
  details:
    'The service may be running: the backup contains the state of one moment. An existing file is replaced once the\n' +
    'new one is complete. If the SQLite file is damaged, no backup is made. The same file can be restored to SQLite and\n' +
    'PostgreSQL. It contains password hashes and mail, so only its owner may read it. With - in place of FILE, the backup\n' +
    'goes to standard output, for another program. It is complete only if the exit code is 0.',
  positionals: ['FILE'],
  options: {
    'snapshot-folder': {
      type: 'string',
      value: 'FOLDER',
      about: 'With SQLite, the folder for a first copy of the database. Default: DATA_DIR.',
    },
  },
  example: 'freehold-backup.zst',
  database: 'existing',
  mayTakeLong: true,
  async run({ db, positionals: [file = ''], values }) {
    const options = { snapshotFolder: values['snapshot-folder'] };
    if (file === '-') {
      if (process.stdout.isTTY)
        throw new UsageError('A backup is not text for a terminal. Send it to a file or to a program.');
      return { text: '', note: `Backed up ${rowsInWords(await backupToPipe(db, process.stdout, options))}.` };
    }
    const rows = await backup(db, file, options);
    return { text: `Backed up ${rowsInWords(rows)} to ${file}.`, json: { file, rows } };
  },
});

/** Returns the size of a backup in words: `2 accounts and 3 pages`. */
export function rowsInWords({ accounts = 0, pages = 0 }: Record<string, number>): string {
  return `${counted(accounts, 'account')} and ${counted(pages, 'page')}`;
}
