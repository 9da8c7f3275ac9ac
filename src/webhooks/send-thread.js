import { workerData } from 'node:worker_threads';
import { useCompileCache } from '../compile-cache.js';
import { serveConcurrently } from '../serve-worker.js';

/* The script of the thread of `sending-thread.ts`. Sends the messages that it receives. */
useCompileCache();
const { sender } = await import('./send.ts');
const { messageSender } = await import('./send-messages.ts');

const stop = new AbortController();
const send = messageSender(sender(workerData, stop.signal), stop.signal);

serveConcurrently((/** @type {import('./sending-thread.ts').Question} */ question) => {
  if (question !== 'stop') return send(question);
  stop.abort();
  return [];
});
