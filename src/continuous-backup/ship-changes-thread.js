import { workerData } from 'node:worker_threads';
import { useCompileCache } from '../compile-cache.js';
import { serveWorker } from '../serve-worker.js';

/* The script of the thread that follows SQLite's log, so that reading and compressing do not delay requests. */
useCompileCache();
const { fileProblemOf } = await import('../file-problem.ts');
const { ChangeShipper } = await import('./change-shipper.ts');

const { databaseFile, folder, series } = workerData;
const shipper = new ChangeShipper(databaseFile, folder, series);

serveWorker(async (/** @type {'ship' | 'close'} */ what) => {
  if (what === 'close') return shipper.close();
  try {
    return await shipper.ship();
  } catch (error) {
    if (!shipper.isIntact) shipper.close();
    return { reason: fileProblemOf(error), isOver: !shipper.isIntact };
  }
});
