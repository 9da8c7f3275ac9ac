import type { Worker } from 'node:cluster';
import { AppError } from '../errors.ts';

/** How long a worker may take to start where others serve meanwhile. */
const READY_TIMEOUT_MS = 60_000;

/**
 * Waits until the new worker is ready, and ends one that takes too long. `ready` rejects when the worker has ended.
 * @throws AppError `unavailable` when it has taken too long, and has ended
 */
export async function untilReady(worker: Worker, ready: Promise<void>): Promise<void> {
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    // It may not even read that it is to stop.
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
