import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { serveWorker } from '../serve-worker.js';

/* The script of the worker threads of `hash-threads.ts`: hashes or verifies passwords. */

/**
 * How much the niceness is raised: when they compete, a hashing thread gets a third of the processor time of the main
 * thread.
 */
const NICER_BY = 5;
const NICEST = 19;

lowerPriority();
serveWorker((/** @type {import('./hash-threads.ts').HashRequest} */ { password, hash }) =>
  hash === undefined ? hashSync(password, workerData) : verifySync(hash, password),
);

/** Lowers the thread's priority: otherwise a request waits for processor time for as long as a hash takes. */
function lowerPriority() {
  // On other systems a priority applies to the whole process.
  if (process.platform !== 'linux') return;
  try {
    // A thread inherits the priority of the thread that started it, which is not 0 if the service was started by `nice`.
    setPriority(Math.min(NICEST, getPriority() + NICER_BY));
  } catch {
    // The lower priority is optional: if the system forbids it, passwords are hashed anyway.
  }
}
