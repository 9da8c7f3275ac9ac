import { flushCompileCache } from 'node:module';
import { useCompileCache } from './compile-cache.js';

/*
 * Fills the compile cache after `npm ci` by importing what the service imports, so that the first start is as light as
 * every later one. Runs once with the Node.js options of `npm start`, and once without: some of them make V8 generate other
 * code, which Node caches separately. Processes that the service starts, such as the image maker, run without these
 * options.
 */
useCompileCache();
await import('./service/main.ts');
await import('./service/serve.ts');
await import('./http/admin/routes.ts');
await import('./http/api/mcp/answer-message.ts');
await import('./answer-large.ts');
await import('./http/site/site-responder.ts');
await import('./users/passkeys/library.ts');
await import('./http/site/preview.ts');
await import('./media/make-variants.ts');
await import('./media/file-store.ts');
await import('./media/s3-store.ts');
await import('./db/sqlite.ts');
await import('./db/postgres.ts');
const { migrations } = await import('./db/migrations.ts');
for (const [, load] of migrations) await load();
flushCompileCache();
