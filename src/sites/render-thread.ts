import { parentPort } from 'node:worker_threads';
import { useCompileCache } from '../compile-cache.ts';
import type { BodySource } from './render-body.ts';

/* What a thread of `body-renderer.ts` runs: it renders the bodies that it is sent, one after another. */
useCompileCache();
const { renderBody } = await import('./render-body.ts');
const port = parentPort!;
port.on('message', ({ body, format }: BodySource) => port.postMessage(renderBody(body, format)));
