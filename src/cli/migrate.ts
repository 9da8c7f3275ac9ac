import { migrate } from '../db/migrate.ts';
import { command } from './command.ts';

export const migrateCommand = command({
  about: "Migrates the database to this version's schema.",
  details: 'The service does this when it starts. Make a backup first.',
  example: '',
  database: 'any',
  mayTakeLong: true,
  async run({ db }) {
    const applied = await migrate(db);
    return {
      text: applied.length === 0 ? 'The database is up to date.' : applied.map((name) => `Applied ${name}.`).join('\n'),
      json: { applied },
    };
  },
});
