import { parentPort } from 'node:worker_threads';
import { type BodySource, renderBody } from './render-body.ts';

/* What a thread of `body-renderer.ts` runs: it renders the bodies that it is sent, one after another. */
const port = parentPort!;
port.on('message', ({ body, format }: BodySource) => port.postMessage(renderBody(body, format)));
