import { useCompileCache } from '../compile-cache.js';
import { serveWorker } from '../serve-worker.js';

/* The script of the threads of `body-renderer.ts`: renders the bodies that it receives. */
useCompileCache();
const { renderAsText, renderBody } = await import('./render-body.ts');

serveWorker((/** @type {import('./body-renderer.ts').RenderRequest} */ { body, format, asText }) =>
  asText ? renderAsText(body) : renderBody(body, format),
);
