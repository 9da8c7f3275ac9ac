import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { ThreadHeap } from './thread-heap.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/**
 * Serves the requests of a `WorkerThread` in its script, one after another, with the results of `answer`. Passes errors of
 * `answer` on to the caller. Keeps the thread's heap small.
 * @template Q, A
 * @param {(question: Q) => A | Promise<A>} answer
 * @param {(answer: A) => import('node:worker_threads').Transferable[]} [toTransfer] returns the parts of an answer to transfer
 *   instead of copying them
 * @param {{ idleMs?: number }} [options] after how long an idle thread returns memory to the system
 */
export function serveWorker(answer, toTransfer = () => [], { idleMs } = {}) {
  const heap = new ThreadHeap(idleMs);
  let last = Promise.resolve();
  port.on('message', (message) => {
    heap.begin();
    last = last
      .then(() => reply(message, answer, toTransfer))
      // Node itself holds the message until the next turn of the event loop.
      .then(() => setImmediate())
      .then(() => heap.end());
  });
}

/**
 * Serves requests like `serveWorker`, but concurrently: begins with each message when it arrives.
 * @template Q, A
 * @param {(question: Q) => A | Promise<A>} answer
 */
export function serveConcurrently(answer) {
  const heap = new ThreadHeap();
  port.on('message', (message) => {
    heap.begin();
    void reply(message, answer, () => []).then(() => heap.end());
  });
}

/**
 * @template Q, A
 * @param {{ number: number, question: Q }} message
 * @param {(question: Q) => A | Promise<A>} answer
 * @param {(answer: A) => import('node:worker_threads').Transferable[]} toTransfer
 */
async function reply({ number, question }, answer, toTransfer) {
  try {
    const given = await answer(question);
    port.postMessage({ number, answer: given }, toTransfer(given));
  } catch (error) {
    port.postMessage({ number, error });
  }
}
