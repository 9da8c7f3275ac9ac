import { flushCompileCache } from 'node:module';
import { useCompileCache } from './compile-cache.js';

/*
 * Run after `npm ci`: imports what the service imports, so that its first start is as light as every later one. Once with
 * the options that `npm start` gives to Node, and once without: by some of them V8 makes other code, which Node keeps apart,
 * and what the service starts itself, such as the process that makes images, has none of them.
 */
useCompileCache();
await import('./service/main.ts');
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
flushCompileCache();
