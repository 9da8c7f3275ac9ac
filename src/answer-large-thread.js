import { workerData } from 'node:worker_threads';
import { collectGarbage } from './collect-garbage.js';
import { useCompileCache } from './compile-cache.js';
import { serveWorker } from './serve-worker.js';

/* The program of the threads of `http/large-requests.ts`. */
useCompileCache();
const { answerLarge, toTransfer } = await import('./answer-large.ts');

/**
 * The garbage is collected after so many bytes of requests. A collection takes 30 ms of processor time, as long as everything
 * else that a URL of a megabyte takes.
 */
const COLLECTION_BYTES = 8 * 1024 * 1024;
let bytesSinceCollection = 0;

const answer = await answerLarge(workerData);

serveWorker(
  (/** @type {import('./http/large-requests.ts').LargeQuestion} */ question) => {
    bytesSinceCollection +=
      question.task === 'parse' ? question.bytes.length : (question.bytes ?? question.ctx.query).length;
    return answer(question);
  },
  toTransfer,
  () => {
    if (bytesSinceCollection < COLLECTION_BYTES) return;
    bytesSinceCollection = 0;
    collectGarbage();
  },
);
