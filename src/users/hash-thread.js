import { getPriority, setPriority } from 'node:os';
import { workerData } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import { serveWorker } from '../serve-worker.js';

/* The script of the threads of `hash-threads.ts`: hashes or verifies passwords. */

/** The niceness: a third of the share of the thread that answers requests, if they compete. */
const NICER_BY = 5;
const NICEST = 19;

lowerPriority();
serveWorker((/** @type {import('./hash-threads.ts').Question} */ { password, hash }) =>
  hash === undefined ? hashSync(password, workerData) : verifySync(hash, password),
);

/** Without it a request waits for its share of the processor for as long as a hash takes. */
function lowerPriority() {
  // Elsewhere a priority is the whole process's.
  if (process.platform !== 'linux') return;
  try {
    // A thread begins with what the one that started it has, which is not 0 where the service is run by `nice`.
    setPriority(Math.min(NICEST, getPriority() + NICER_BY));
  } catch {
    // It is a courtesy: where it is not allowed, passwords are hashed all the same.
  }
}
