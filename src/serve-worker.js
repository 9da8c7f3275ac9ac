import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';
import { ThreadHeap } from './thread-heap.js';

/**
 * For the script of a `Thread`: answers one message after another with what `answer` makes of it. What `answer` throws is
 * reported to the caller, and the next one's turn comes. The thread's heap stays small.
 * @template Q, A
 * @param {(question: Q) => A | Promise<A>} answer
 * @param {(answer: A) => import('node:worker_threads').Transferable[]} [toTransfer] returns what of an answer is handed over
 *   instead of copied
 * @param {{ idleMs?: number }} [options] after how long an idle thread gives back memory
 */
export function serveWorker(answer, toTransfer = () => [], { idleMs } = {}) {
  const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
  const heap = new ThreadHeap(idleMs);
  let last = Promise.resolve();
  port.on('message', (question) => {
    heap.begin();
    last = last
      .then(async () => {
        try {
          const given = await answer(question);
          port.postMessage({ answer: given }, toTransfer(given));
        } catch (error) {
          port.postMessage({ error });
        }
      })
      // Node itself holds the message until the next turn of the event loop.
      .then(() => setImmediate())
      .then(() => heap.end());
  });
}
