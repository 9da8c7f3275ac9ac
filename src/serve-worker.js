import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { ThreadHeap } from './thread-heap.js';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);

/**
 * For the script of a `WorkerThread`: answers one message after another with what `answer` makes of it. What `answer` throws is
 * reported to the caller, and the next one's turn comes. The thread's heap stays small.
 * @template Q, A
 * @param {(question: Q) => A | Promise<A>} answer
 * @param {(answer: A) => import('node:worker_threads').Transferable[]} [toTransfer] returns what of an answer is handed over
 *   instead of copied
 * @param {{ idleMs?: number }} [options] after how long an idle thread gives back memory
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
 * Like `serveWorker`, for answers that wait for others: begins with each message as it arrives.
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
