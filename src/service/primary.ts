import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Values } from '../config-values.ts';
import { AppError } from '../errors.ts';
import { MemoryCounter } from '../http/limits.ts';
import { FILES_LOST_EXIT_CODE } from './database-faults.ts';
import { Distributor } from './distributor.ts';
import { answerWorkers } from './ipc.ts';
import type { PassedSockets } from './passed-sockets.ts';
import type { Running } from './running.ts';
import { stopWorker } from './stop-worker.ts';
import { untilReady } from './until-ready.ts';

interface PrimaryOptions {
  readonly config: Config;
  /** The environment variables of the workers. */
  readonly environment: Values;
  readonly sockets: PassedSockets;
  readonly log: Logger;
  /** The metrics of the primary itself. */
  readonly registry: Registry;
  /** Called when the first worker is ready. */
  readonly onListening: () => Promise<void>;
  /** Called when a worker has ended because the database's files are gone. */
  readonly onFilesLost: () => void;
}

/**
 * Starts the workers that share the port, and replaces a worker that dies. The primary serves no requests itself: it hands
 * out connections, counts requests for all workers and aggregates their metrics.
 * @throws AppError `unavailable` if the port is in use, or if the first worker cannot start, which has printed why
 */
export async function startWorkers(options: PrimaryOptions): Promise<Running> {
  const { config, environment, sockets, log, registry, onListening, onFilesLost } = options;
  const counter = new MemoryCounter();
  const metrics = new AggregatorRegistry();
  const distributor = new Distributor();
  /** The workers that are not ready yet, each with the promise that its starter awaits. */
  const starting = new Map<Worker, PromiseWithResolvers<void>>();
  /** The workers whose starter awaits them and reports their failure itself. */
  const awaited = new WeakSet<Worker>();
  /** The workers that were told to stop. */
  const retired = new WeakSet<Worker>();
  let welcomed: Promise<void> | undefined;
  let damage: string | null = null;
  answerWorkers({
    ready: async (_, worker) => {
      welcomed ??= onListening();
      await welcomed.catch((error: unknown) => {
        starting.get(worker)?.reject(error);
        // Never resolves: the primary ends, and the worker with it, so no answer is needed.
        return new Promise(() => {});
      });
      distributor.add(worker);
      starting.get(worker)?.resolve();
      return null;
    },
    leave: (_, worker) => {
      distributor.remove(worker);
      return null;
    },
    take: ({ name, key, limit, wanted }) => counter.take(name, key, limit, wanted),
    metrics: async () => (await metrics.clusterMetrics()) + (await registry.metrics()),
    damage: (known) => {
      damage ??= known;
      return damage;
    },
  });
  // Without this, workers would inherit arguments, and Node.js ends a process whose `--env-file` is missing even if that is
  // the program's own argument.
  cluster.setupPrimary({ args: [] });

  /** Waits for a worker that starts. `wait` resolves once it is ready. */
  const untilServing = async (worker: Worker, wait: typeof untilReady): Promise<void> => {
    const ready = Promise.withResolvers<void>();
    starting.set(worker, ready);
    worker.once('exit', () => ready.reject(new AppError('unavailable', 'No worker could be started.')));
    try {
      await wait(worker, ready.promise);
    } finally {
      starting.delete(worker);
    }
  };
  const startWorker = async (wait: typeof untilReady): Promise<void> => {
    const worker = cluster.fork(environment);
    awaited.add(worker);
    await untilServing(worker, wait);
    awaited.delete(worker);
  };
  const stop = async (worker: Worker): Promise<void> => {
    retired.add(worker);
    const hasEnded = await stopWorker(worker, config.stopTimeoutMs);
    if (!hasEnded) log.error({ worker: worker.process.pid }, 'a worker did not stop in time; it was killed');
  };
  await distributor.listen(config, sockets);
  // Tries only one worker at first: a problem that stops the first from starting would stop the others, too. There is no
  // timeout, since no other worker has to be kept.
  await startWorker((_, ready) => ready);

  let isStopping = false;
  const fillUp = () => {
    while (!isStopping && living().length < config.workers) {
      // A worker that is not ready in time is killed, which the exit handler treats like any other end.
      untilServing(cluster.fork(environment), untilReady).catch(() => {});
    }
  };
  cluster.on('exit', (worker, code, signal) => {
    if (isStopping || retired.has(worker) || awaited.has(worker)) return;
    // Other workers would find the same files or, worse, different ones. The worker has logged the reason.
    if (code === FILES_LOST_EXIT_CODE) {
      isStopping = true;
      onFilesLost();
      return;
    }
    log.error({ worker: worker.process.pid, code, signal }, 'a worker ended; starting another');
    // Waits, so that workers that cannot start do not keep the machine busy.
    setTimeout(fillUp, 1000);
  });
  fillUp();

  return {
    // Replaces one worker after another: each is stopped once its replacement is ready, and keeps running if there is none.
    reload: async () => {
      try {
        for (const worker of living()) {
          await startWorker(untilReady);
          await stop(worker);
        }
      } finally {
        // Replaces workers that have died meanwhile.
        fillUp();
      }
    },
    stop: async () => {
      isStopping = true;
      // Stops accepting first, so that each accepted connection gets a worker.
      distributor.close();
      await Promise.all(living().map(stop));
    },
  };
}

function living(): Worker[] {
  return Object.values(cluster.workers ?? {})
    .filter((worker) => worker !== undefined)
    .filter((worker) => !worker.isDead());
}
