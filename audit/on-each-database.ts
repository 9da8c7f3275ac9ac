import { scratchFolder } from '../bench/processes.ts';
import { startPostgres } from '../test/global-setup.ts';

export interface AuditedDatabase {
  readonly dataDir: string;
  readonly databaseUrl: string;
}

/** Runs the audit on SQLite, then on PostgreSQL. */
export async function onEachDatabase(audit: (name: string, database: AuditedDatabase) => Promise<void>): Promise<void> {
  await audit('SQLite', { dataDir: scratchFolder(), databaseUrl: '' });
  const { postgres, socketUrl } = await startPostgres([]);
  try {
    await audit('PostgreSQL', { dataDir: scratchFolder(), databaseUrl: socketUrl });
  } finally {
    await postgres.stop();
  }
}
