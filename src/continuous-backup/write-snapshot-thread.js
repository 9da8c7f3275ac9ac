import { useCompileCache } from '../compile-cache.js';
import { serveWorker } from '../serve-worker.js';

/* The script of the thread that checks and compresses copies of the database. */
useCompileCache();
const { fileProblemOf } = await import('../file-problem.ts');
const { writeSnapshot } = await import('./write-snapshot.ts');

serveWorker(async (/** @type {import('./write-snapshot.ts').SnapshotJob} */ job) => {
  try {
    await writeSnapshot(job);
    return undefined;
  } catch (error) {
    return fileProblemOf(error);
  }
});
