import { collectGarbage } from '../collect-garbage.js';
import { useCompileCache } from '../compile-cache.js';
import { serveWorker } from '../serve-worker.js';

/* The script of the threads of `body-renderer.ts`: renders the bodies that it is sent. */
useCompileCache();
const { renderAsText, renderBody } = await import('./render-body.ts');

/** Bodies of this length leave much more garbage than it takes to collect it. */
const LONG_CHARACTERS = 64 * 1024;
let isLong = false;

serveWorker(
  (/** @type {import('./body-renderer.ts').RenderRequest} */ { body, format, asText }) => {
    isLong = body.length > LONG_CHARACTERS;
    return asText ? renderAsText(body) : renderBody(body, format);
  },
  undefined,
  () => {
    if (isLong) collectGarbage();
  },
);
