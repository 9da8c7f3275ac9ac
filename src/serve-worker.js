import { setImmediate } from 'node:timers/promises';
import { parentPort } from 'node:worker_threads';

/**
 * For the script of a `Thread`: answers one message after another with what `answer` makes of it. What `answer` throws is
 * reported to the caller, and the next one's turn comes.
 * @template Q, A
 * @param {(question: Q) => A | Promise<A>} answer
 * @param {(answer: A) => import('node:worker_threads').Transferable[]} [toTransfer] returns what of an answer is handed over
 *   instead of copied
 * @param {() => void} [afterwards] is called when nothing holds the message and the answer any more
 */
export function serveWorker(answer, toTransfer = () => [], afterwards = () => {}) {
  const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
  let last = Promise.resolve();
  port.on('message', (question) => {
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
      .then(afterwards);
  });
}
