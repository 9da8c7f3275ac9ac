import type { Worker } from 'node:cluster';
import { sendStop } from './ipc.ts';

/** How long a worker may run on after its requests' timeout: it may be sending mail or making a long change. */
const END_TIMEOUT_MS = 60_000;

/**
 * Tells a worker to stop, and waits until it has ended. Kills it if it takes too long. Returns true if it ended by itself.
 */
export async function stopWorker(worker: Worker, stopTimeoutMs: number): Promise<boolean> {
  if (worker.isDead()) return true;
  let isTooLate = false;
  const timer = setTimeout(() => {
    isTooLate = true;
    worker.process.kill('SIGKILL');
  }, stopTimeoutMs + END_TIMEOUT_MS);
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  sendStop(worker);
  await ended;
  clearTimeout(timer);
  return !isTooLate;
}
