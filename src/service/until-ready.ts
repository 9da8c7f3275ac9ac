import type { Worker } from 'node:cluster';
import { AppError } from '../errors.ts';

/** How long a worker may take to start while others serve. */
const READY_TIMEOUT_MS = 60_000;

/**
 * Waits until the new worker is ready, and kills it if it takes too long. `ready` rejects when the worker has ended.
 * @throws AppError `unavailable` if the worker took too long and has ended
 */
export async function untilReady(worker: Worker, ready: Promise<void>): Promise<void> {
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    // The worker may not be able to read a request to stop.
    worker.process.kill('SIGKILL');
  }, READY_TIMEOUT_MS);
  try {
    await ready;
  } catch (error) {
    if (!isTooLate) throw error;
    throw new AppError('unavailable', `A new worker was not ready within ${READY_TIMEOUT_MS / 1000} seconds.`);
  } finally {
    clearTimeout(timer);
  }
}
