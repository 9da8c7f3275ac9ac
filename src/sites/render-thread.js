import { parentPort } from 'node:worker_threads';
import { useCompileCache } from '../compile-cache.js';

/* What a thread of `body-renderer.ts` runs: it renders the bodies that it is sent, one after another. */
useCompileCache();
const { renderBody } = await import('./render-body.ts');
const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
port.on('message', (/** @type {import('./render-body.ts').BodySource} */ { body, format }) =>
  port.postMessage(renderBody(body, format)),
);
