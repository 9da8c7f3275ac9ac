import { flushCompileCache } from 'node:module';
import { useCompileCache } from './compile-cache.js';

/*
 * Run once after `npm ci`: imports what the service imports, so that its first start is as light as every later one.
 */
useCompileCache();
await import('./service/main.ts');
await import('./http/admin/routes.ts');
await import('./http/site/site-answerer.ts');
await import('./users/passkeys/library.ts');
await import('./http/site/preview.ts');
await import('./media/make-forms.ts');
await import('./media/file-store.ts');
await import('./media/s3-store.ts');
await import('./db/sqlite.ts');
await import('./db/postgres.ts');
flushCompileCache();
