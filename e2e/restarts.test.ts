import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { environmentOf, makeMigratedDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { Service } from '../test/service.ts';
import { ContinuousClients, pagesAndAccount } from './continuous-clients.ts';
import { eventually, openSocket, type Program, spawnProgram, startOnSockets, startProgram } from './program.ts';
import { openRaw } from './raw.ts';

const NO_LIMITS = { RATE_LIMIT: '0' };

// The database matters for what a process opens and closes, the number of processes for who accepts connections.
for (const [kind, WORKERS] of [
  ['sqlite', '2'],
  ['postgres', '1'],
] as const) {
  test(`no request fails while the service restarts on its socket (${kind}, ${WORKERS} processes)`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
    const service = await openSocket(t);
    const start = () => startOnSockets(t, database, { service }, { WORKERS, ...NO_LIMITS });
    const first = await start();
    const { key } = first;
    const clients = new ContinuousClients(t, first.port, pagesAndAccount(key));
    await clients.answers(5);
    assert.deepEqual(await first.stop(), { code: 0, signal: null });
    const second = await start();
    await clients.answers(5);
    await clients.stop();
    assert.deepEqual(clients.failures, []);
    assert.equal((await second.service.pages(key)).length, clients.created);
  });
}

test('no request fails while the workers are replaced', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { WORKERS: '2', ...NO_LIMITS });
  const { key, port } = program;
  const clients = new ContinuousClients(t, port, pagesAndAccount(key));
  await clients.answers(5);
  program.signal('SIGHUP');
  await reloaded(program);
  await clients.answers(5);
  await clients.stop();
  assert.deepEqual(clients.failures, []);
  assert.equal((await program.service.pages(key)).length, clients.created);
  const workers = workersOf(program);
  assert.equal(new Set(workers).size, 4, 'two workers, and two replacements');
  for (const pid of workers.slice(0, 2)) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
  assert.deepEqual(
    program.log.filter(({ level }) => level > 40),
    [],
  );
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('a request that arrives before the service has started is answered (systemd-socket-activate)', async (t) => {
  const command = 'systemd-socket-activate';
  if (!(await isInstalled(command))) return t.skip(`${command} is not installed`);
  const database = await makeMigratedDatabase(t, 'sqlite');
  const PORT = String(await freePort());
  const variables = Object.entries({ ...environmentOf(database), PORT }).flatMap(([name, value]) => [
    '-E',
    `${name}=${value}`,
  ]);
  const program = await spawnProgram(t, { PORT }, [command, '-l', `127.0.0.1:${PORT}`, ...variables]);
  await program.until(({ errors }) => errors.includes('Listening on'));
  const { status } = await program.service.request('GET', '/readyz');
  assert.ok(status === 200 || status === 503, 'the service was serving, or still starting');
  await program.serving();
  assert.equal((await program.service.request('GET', '/readyz')).status, 200);
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('freehold start refuses inherited sockets, because it would lose them', async (t) => {
  const environment = { ...environmentOf(await makeMigratedDatabase(t, 'sqlite')), LISTEN_FDS: '1' };
  const start = ['src/cli/main.js', 'start'];
  const shell = ['-c', 'LISTEN_PID=$$ exec "$@"', 'sh', process.execPath, ...start];
  const outcome = execute('sh', shell, { env: { PATH: process.env.PATH, ...environment } });
  await assert.rejects(outcome, { code: 1, stderr: /LISTEN_FDS.*deploy\/freehold\.service/ });
});

test('the service serves METRICS_PORT on the inherited socket named “metrics”', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const [service, metrics] = [await openSocket(t), await openSocket(t)];
  // A port on which nothing listens.
  const METRICS_PORT = String(await freePort());
  const program = await startOnSockets(t, database, { service, metrics }, { METRICS_PORT });
  assert.equal((await program.service.request('GET', '/readyz')).status, 404);
  const operations = new Service(metrics.address().port, [], async () => {});
  t.after(() => operations.stop());
  assert.equal((await operations.request('GET', '/readyz')).status, 200);
});

test('a service of one process ignores sockets meant for another process, and goes on serving when it reloads', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { LISTEN_FDS: '1', LISTEN_PID: '1' });
  assert.equal((await program.service.request('GET', '/readyz')).status, 200);
  program.signal('SIGHUP');
  await reloaded(program);
  assert.equal((await program.service.account(program.key)).name, 'My Agency');
});

test('a service of two workers survives signals and the death of workers', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { WORKERS: '2' });
  const living = () => workersOf(program).filter(isAlive);

  await t.test('workers ignore a signal that is sent to all processes', async () => {
    const connection = await openRaw(t, program.port);
    for (const pid of living()) for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(pid, signal);
    for (let count = 1; count <= 50; count++) {
      await connection.write(`GET /api/account.json?api_key=${program.key} HTTP/1.1\r\nHost: x\r\n\r\n`);
      const answer = (await connection.answers(count)).at(-1)!;
      assert.deepEqual([answer.status, answer.headers.connection], [200, 'keep-alive']);
    }
    connection.socket.destroy();
  });

  await t.test('a worker that dies during a reload is replaced, too', async () => {
    const [, second] = workersOf(program);
    program.signal('SIGHUP');
    await program.serving(3);
    process.kill(second!, 'SIGKILL');
    await reloaded(program);
    await program.until(() => living().length === 2);
  });

  await t.test('connections wait for a new worker after all have died', async () => {
    const ends = () => program.out.split('a worker ended; starting another').length;
    const before = ends();
    for (const pid of living()) process.kill(pid, 'SIGKILL');
    await program.until(() => ends() === before + 2);
    assert.equal((await program.service.account(program.key)).name, 'My Agency');
    await program.until(() => living().length === 2);
  });

  await t.test('no connection stays open and unanswered when workers die before receiving it', async () => {
    const workers = living();
    for (const pid of workers) process.kill(pid, 'SIGSTOP');
    const descriptors = async () => (await readdir(`/proc/${program.pid}/fd`)).length;
    const before = await descriptors();
    const answers = Array.from({ length: 10 }, async () => {
      const connection = await openRaw(t, program.port);
      await connection.write(
        `GET /api/account.json?api_key=${program.key} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      );
      return connection.answers(1).then(
        ([answer]) => answer!.status,
        () => 'ended',
      );
    });
    // One connection is on its way to each worker.
    await eventually(t, descriptors, (count) => count >= before + 8);
    for (const pid of workers) process.kill(pid, 'SIGKILL');
    assert.deepEqual((await Promise.all(answers)).toSorted(), [...Array(8).fill(200), 'ended', 'ended']);
    await eventually(t, descriptors, (count) => count <= before);
    await program.until(() => living().length === 2);
  });

  await t.test('workers do not outlive a primary that dies', async () => {
    // Resolves when the output is closed, which the workers share.
    await program.kill();
  });
});

const execute = promisify(execFile);

function isInstalled(command: string): Promise<boolean> {
  return execute(command, ['--version']).then(
    () => true,
    () => false,
  );
}

/** Resolves once the program has reloaded for the first time. */
async function reloaded(program: Program): Promise<void> {
  await program.until(({ out }) => out.includes('"msg":"reloaded"'));
}

function workersOf(program: Program): number[] {
  return program.log.filter(({ msg }) => msg === 'serving').map(({ pid }) => Number(pid));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
