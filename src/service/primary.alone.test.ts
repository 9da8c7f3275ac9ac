import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { freePort } from '../../test/free-port.ts';
import { readConfig } from '../config.ts';
import { startWorkers } from './primary.ts';

/** A worker that never stops. All but the second worker report that they are ready. */
const SCRIPT = `
setInterval(() => {}, 1000);
process.on('message', () => {});
if (process.env.NODE_UNIQUE_ID !== '2') process.send({ ask: 'ready', id: 1, question: null });
`;

test('a worker that is not ready within a minute, or stops too slowly, is killed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-test-'));
  t.after(() => rm(folder, { recursive: true }));
  const exec = join(folder, 'worker.js');
  await writeFile(exec, SCRIPT);
  cluster.setupPrimary({ exec, execArgv: [] });
  t.after(() => {
    for (const worker of Object.values(cluster.workers!)) worker!.process.kill('SIGKILL');
  });
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const logged: unknown[][] = [];
  const lines = { write: (line: string) => void logged.push([JSON.parse(line).signal, JSON.parse(line).msg]) };
  const config = readConfig({ PORT: String(await freePort()), WORKERS: '2', STOP_TIMEOUT: '30000' });
  const running = await startWorkers({
    config,
    environment: {},
    sockets: {},
    log: pino({}, lines),
    registry: new Registry(),
    onListening: async () => {},
    onFilesLost: () => {},
  });
  const late = cluster.workers![2]!;
  await once(late, 'online');
  t.mock.timers.tick(60_000);
  assert.deepEqual(await once(late, 'exit'), [null, 'SIGKILL']);
  const forked = once(cluster, 'fork') as Promise<[Worker]>;
  t.mock.timers.tick(1000);
  const [next] = await forked;
  await once(next, 'message');
  // By then the primary knows that the worker is ready.
  await setImmediate();
  const stopped = running.stop();
  t.mock.timers.tick(89_999);
  assert.equal(next.process.killed, false);
  t.mock.timers.tick(1);
  await stopped;
  assert.deepEqual(logged, [
    ['SIGKILL', 'a worker ended; starting another'],
    [undefined, 'a worker did not stop in time; it was killed'],
    [undefined, 'a worker did not stop in time; it was killed'],
  ]);
});
