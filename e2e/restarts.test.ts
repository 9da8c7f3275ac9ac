import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { databases, environmentOf, makeMigratedDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { Service } from '../test/service.ts';
import { ContinuousClients, pagesAndAccount } from './continuous-clients.ts';
import { eventually, openSocket, type Program, spawnProgram, startOnSockets, startProgram } from './program.ts';
import { openRaw } from './raw.ts';

const NO_LIMITS = { RATE_LIMIT: '0' };

for (const kind of databases) {
  for (const WORKERS of ['1', '2']) {
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
      assert.deepEqual(await second.stop(), { code: 0, signal: null });
      const third = await start();
      await clients.answers(5);
      await clients.stop();
      assert.deepEqual(clients.failures, []);
      assert.equal((await third.service.pages(key)).length, clients.created);
    });
  }

  test(`no request fails while the workers are replaced (${kind})`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
    const program = await startProgram(t, database, { WORKERS: '2', ...NO_LIMITS });
    const { key, port } = program;
    const clients = new ContinuousClients(t, port, pagesAndAccount(key));
    await clients.answers(5);
    program.signal('SIGHUP');
    await reloaded(program, 1);
    await clients.answers(5);
    program.signal('SIGHUP');
    await reloaded(program, 2);
    await clients.answers(5);
    await clients.stop();
    assert.deepEqual(clients.failures, []);
    assert.equal((await program.service.pages(key)).length, clients.created);
    const workers = workersOf(program);
    assert.equal(new Set(workers).size, 6, 'two workers, and twice two replacements');
    for (const pid of workers.slice(0, 4)) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    assert.deepEqual(
      program.log.filter(({ level }) => level > 40),
      [],
    );
    assert.deepEqual(await program.stop(), { code: 0, signal: null });
  });
}

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

test('the service ignores inherited sockets that are meant for another process', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { LISTEN_FDS: '1', LISTEN_PID: '1' });
  assert.equal((await program.service.request('GET', '/readyz')).status, 200);
});

test('a service of one process goes on serving when it reloads', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'));
  program.signal('SIGHUP');
  await reloaded(program, 1);
  assert.equal((await program.service.account(program.key)).name, 'My Agency');
});

test('workers that die during a reload are replaced, too', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { WORKERS: '3' });
  program.signal('SIGHUP');
  await program.serving(4);
  process.kill(workersOf(program)[2]!, 'SIGKILL');
  await reloaded(program, 1);
  const alive = () => workersOf(program).filter(isAlive).length;
  await program.until(() => alive() === 3);
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

const execute = promisify(execFile);

function isInstalled(command: string): Promise<boolean> {
  return execute(command, ['--version']).then(
    () => true,
    () => false,
  );
}

test('workers ignore a signal that is sent to all processes, and stop only when the primary stops them', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { WORKERS: '2' });
  const connection = await openRaw(t, program.port);
  for (const pid of workersOf(program)) for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.kill(pid, signal);
  for (let count = 1; count <= 50; count++) {
    await connection.write(`GET /api/account.json?api_key=${program.key} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const answer = (await connection.answers(count)).at(-1)!;
    assert.deepEqual([answer.status, answer.headers.connection], [200, 'keep-alive']);
  }
  connection.socket.destroy();
  assert.deepEqual(await program.stop(), { code: 0, signal: null });
});

test('connections wait for a new worker after all have died', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { WORKERS: '2' });
  for (const pid of workersOf(program)) process.kill(pid, 'SIGKILL');
  await program.until(({ out }) => out.split('a worker ended; starting another').length > 2);
  assert.equal((await program.service.account(program.key)).name, 'My Agency');
});

test('no connection stays open and unanswered when workers die before receiving it', async (t) => {
  const program = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { WORKERS: '2' });
  const workers = workersOf(program);
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
});

async function reloaded(program: Program, times: number): Promise<void> {
  await program.until(({ out }) => out.split('"msg":"reloaded"').length > times);
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
