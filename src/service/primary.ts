import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Values } from '../config-values.ts';
import { AppError } from '../errors.ts';
import { MemoryCounter } from '../http/limits.ts';
import { FILES_LOST_EXIT_CODE } from './database-faults.ts';
import { answerWorkers } from './ipc.ts';

/**
 * Starts the workers that share the port with these environment variables, and replaces one that dies. The primary serves nothing itself: it counts
 * requests for all and puts their metrics together. Calls `onListening` when the first one listens, and resolves then to
 * how to stop them. Calls `onFilesLost` when one has ended because the database's files are not there any more.
 * @throws AppError `unavailable` when the first one cannot start, which has said why.
 */
export async function startWorkers(
  config: Config,
  environment: Values,
  log: Logger,
  onListening: () => Promise<void>,
  onFilesLost: () => void,
): Promise<() => Promise<void>> {
  const counter = new MemoryCounter();
  const metrics = new AggregatorRegistry();
  const first = Promise.withResolvers<void>();
  let welcomed: Promise<void> | undefined;
  let damage: string | null = null;
  answerWorkers({
    listening: async () => {
      welcomed ??= onListening();
      await welcomed.catch((error: unknown) => {
        first.reject(error);
        // The primary ends, and the worker with it, which then need not have an answer.
        return new Promise(() => {});
      });
      first.resolve();
      return null;
    },
    take: ({ name, key, limit, wanted }) => counter.take(name, key, limit, wanted),
    metrics: () => metrics.clusterMetrics(),
    damage: (known) => {
      damage ??= known;
      return damage;
    },
  });
  // Node.js itself ends a process whose `--env-file` is gone, even though that is not one of its own arguments.
  cluster.setupPrimary({ args: [] });
  // A problem that keeps the first from starting, such as a port in use, would keep the others, too: one attempt is enough.
  cluster
    .fork(environment)
    .once('exit', () => first.reject(new AppError('unavailable', 'No worker could be started.')));
  await first.promise;

  let stopping = false;
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return;
    // The others would have the same files, or worse, others. The worker has said why.
    if (code === FILES_LOST_EXIT_CODE) {
      stopping = true;
      onFilesLost();
      return;
    }
    log.error({ worker: worker.process.pid, code, signal }, 'a worker ended; starting another');
    // Not at once: one that cannot start must not keep the machine busy.
    setTimeout(() => stopping || cluster.fork(environment), 1000);
  });
  for (let count = 1; count < config.workers; count++) cluster.fork(environment);

  return async () => {
    stopping = true;
    const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined);
    await Promise.all(
      workers.map((worker) => {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        worker.process.kill('SIGTERM');
        return ended;
      }),
    );
  };
}
