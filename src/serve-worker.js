import { parentPort } from 'node:worker_threads';

/**
 * For the script of a `Thread`: answers each message with what `answer` makes of it. What `answer` throws is told to whoever
 * asked, and the next one's turn comes.
 * @template Q, A
 * @param {(question: Q) => A} answer
 */
export function serveWorker(answer) {
  const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
  port.on('message', (question) => {
    try {
      port.postMessage({ answer: answer(question) });
    } catch (error) {
      port.postMessage({ error });
    }
  });
}
