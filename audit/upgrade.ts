import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { BoundSocket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from '../bench/processes.ts';
import { allKinds, ContinuousClients } from '../e2e/continuous-clients.ts';
import { freePort } from '../test/free-port.ts';
import { startPostgres } from '../test/global-setup.ts';
import { SocketService } from './socket-service.ts';

/*
 * Upgrades from an earlier version to this checkout while clients send requests, on PostgreSQL. `npm run audit:upgrade -- v1.0.0` starts
 * that version, migrates the database with this checkout, restarts, and counts the requests that are not answered with 200. Then it
 * runs the earlier version's API tests on the new schema. The default is the last tag. Exits with 1 if anything fails.
 */

const SERVING_MS = 5000;
const root = join(import.meta.dirname, '..');

const earlier = process.argv[2] ?? lastTag();
if (earlier === undefined)
  console.log('Skipped: there is no tag, or no history. Name a commit: npm run audit:upgrade -- COMMIT');
else {
  const folder = checkOut(earlier);
  try {
    const failures = (await upgrade(folder)) + runTests(folder);
    process.exitCode = failures > 0 ? 1 : 0;
  } finally {
    git('worktree', 'remove', '--force', folder);
  }
}

/** Upgrades under load. Returns the number of failed requests. */
async function upgrade(folder: string): Promise<number> {
  const { postgres, url } = await startPostgres();
  const socket = new BoundSocket({ host: '127.0.0.1', port: await freePort() });
  const settings = { DATA_DIR: scratchFolder(), DATABASE_URL: url };
  const environment = { ...settings, WORKERS: '2', RATE_LIMIT: '0', CUSTOMERS_PER_ADDRESS: '0' };
  const before = new SocketService(socket, environment, folder);
  await before.start();
  const clients = new ContinuousClients({ after: () => {} }, socket.address().port, allKinds(before.key));
  await sleep(SERVING_MS);
  const env = { PATH: process.env.PATH, ...settings };
  const migrated = execFileSync(process.execPath, ['src/cli/main.js', 'migrate', '--json'], { cwd: root, env });
  await sleep(SERVING_MS);
  await before.stop();
  const after = new SocketService(socket, environment);
  await after.start();
  await sleep(SERVING_MS);
  await clients.stop();
  await after.stop();
  socket.close();
  await postgres.stop();
  const { answered, failures, longestMs } = clients;
  console.log(`Migrated from ${earlier}: ${JSON.parse(String(migrated)).applied.join(', ') || 'nothing'}`);
  console.log(`${answered} requests, ${failures.length} failed, the longest took ${Math.round(longestMs)} ms`);
  for (const failure of failures.slice(0, 10)) console.log(`  ${failure.replaceAll(before.key, 'KEY')}`);
  return failures.length;
}

/** Returns 1 if a test of the earlier version fails on the schema of this one. */
function runTests(folder: string): number {
  const files = ['--test-concurrency=1', '--test-name-pattern=postgres', 'src/http/api/*.test.ts'];
  const { status, stdout } = spawnSync('npm', ['run', '--silent', 'test:file', '--', ...files], {
    cwd: folder,
    env: { ...process.env, TEST_SCHEMA: root },
    encoding: 'utf8',
    maxBuffer: 1024 ** 3,
  });
  const summary = stdout.split('\n').filter((line) => /^ℹ (?:pass|fail) |^ {0,2}✖/.test(line));
  console.log(`The API's tests of ${earlier} on the new schema:\n${summary.join('\n')}`);
  return status === 0 ? 0 : 1;
}

function checkOut(version: string): string {
  const folder = join(scratchFolder(), 'earlier');
  git('worktree', 'add', '--detach', folder, version);
  const lock = (at: string) => readFileSync(join(at, 'package-lock.json'), 'utf8');
  if (lock(folder) === lock(root)) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  else execFileSync('npm', ['ci'], { cwd: folder, stdio: 'ignore' });
  return folder;
}

function lastTag(): string | undefined {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

function git(...args: string[]): void {
  execFileSync('git', args, { cwd: root, stdio: 'ignore' });
}
