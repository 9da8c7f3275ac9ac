import cluster from 'node:cluster';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { Config } from '../config.ts';
import { MemoryCounter } from '../http/limits.ts';
import { answerWorkers } from './ipc.ts';

/**
 * Starts the workers that share the port, and replaces one that dies. The primary serves nothing itself: it counts
 * requests for all and puts their metrics together. Returns how to stop it.
 */
export function startWorkers(config: Config, log: Logger): () => Promise<void> {
  const counter = new MemoryCounter();
  const metrics = new AggregatorRegistry();
  answerWorkers({
    take: ({ name, key, limit, wanted }) => counter.take(name, key, limit, wanted),
    metrics: () => metrics.clusterMetrics(),
  });
  let stopping = false;
  cluster.on('exit', (worker, code, signal) => {
    if (stopping) return;
    log.error({ worker: worker.process.pid, code, signal }, 'a worker ended; starting another');
    // Not at once: one that cannot start must not keep the machine busy.
    setTimeout(() => stopping || cluster.fork(), 1000);
  });
  for (let count = 0; count < config.workers; count++) cluster.fork();

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
