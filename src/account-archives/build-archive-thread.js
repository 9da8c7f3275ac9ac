import { workerData } from 'node:worker_threads';
import { useCompileCache } from '../compile-cache.js';
import { serveWorker } from '../serve-worker.js';

/* The script of the thread of `archive-thread.ts`. Writes archives, with its own connection to the database. */
useCompileCache();
const [{ openDatabase }, { openMediaStore }, { exportAccount }] = await Promise.all([
  import('../db/open-database.ts'),
  import('../media/open-store.ts'),
  import('./export-account.ts'),
]);

const db = await openDatabase({ ...workerData, databasePool: 1 });
const store = openMediaStore(workerData);

serveWorker(async (/** @type {import('./run-requests.ts').ArchiveJob} */ { accountId, file, actor }) => {
  await exportAccount({ db, store }, accountId, { file, withSecrets: false }, actor);
});
