import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { workerData } from 'node:worker_threads';
import { useCompileCache } from './compile-cache.js';
import { serveWorker } from './serve-worker.js';

/* The program of the thread of `http/large-requests.ts`. */
useCompileCache();
const { answerLarge, toTransfer } = await import('./answer-large.ts');

// V8 would keep the texts of several requests, a hundred megabytes of each, until the heap has grown by a part of all of it.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');
serveWorker(await answerLarge(workerData), toTransfer, () => collectGarbage());
