import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { serveWorker } from '../serve-worker.js';

/* The worker thread of `sqlite-checkpoints.ts`: it copies SQLite's log into the database file. */

/** How long a checkpoint that blocks writers waits for readers and for writers of other processes. */
const LOCK_TIMEOUT_MS = 50;

serveWorker((/** @type {import('./sqlite-checkpoints.ts').Question} */ { file, keepWritersOut }) => {
  const url = pathToFileURL(file);
  // Do not create an empty database if the file was moved away.
  url.searchParams.set('mode', 'rw');
  // SQLite removes the log when its last connection closes, so this connection must not stay open.
  const database = new DatabaseSync(url, { timeout: LOCK_TIMEOUT_MS });
  try {
    // The copy must be on disk before the log may be overwritten.
    database.exec('pragma synchronous = full; pragma fullfsync = on; pragma wal_autocheckpoint = 0');
    database.exec(`pragma wal_checkpoint(${keepWritersOut ? 'full' : 'passive'})`);
  } finally {
    database.close();
  }
});
