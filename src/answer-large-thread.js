import { workerData } from 'node:worker_threads';
import { useCompileCache } from './compile-cache.js';
import { serveWorker } from './serve-worker.js';

/* The script of the threads of `http/large-requests.ts`. */
useCompileCache();
const { answerLarge, toTransfer } = await import('./answer-large.ts');

serveWorker(await answerLarge(workerData), toTransfer);
