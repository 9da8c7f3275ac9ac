import { answerInThread } from '../answer-in-thread.js';
import { useCompileCache } from '../compile-cache.js';

/* What a thread of `body-renderer.ts` runs: it renders the bodies that it is sent. */
useCompileCache();
const { renderBody } = await import('./render-body.ts');
answerInThread((/** @type {import('./render-body.ts').BodySource} */ { body, format }) => renderBody(body, format));
