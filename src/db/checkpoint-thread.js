import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { serveWorker } from '../serve-worker.js';

/* The program of the thread of `sqlite-checkpoints.ts`: it copies SQLite's log into the database file. */

/** How long a checkpoint that keeps writers out waits for readers and for writers of other processes. */
const LOCK_TIMEOUT_MS = 50;

serveWorker((/** @type {import('./sqlite-checkpoints.ts').Question} */ { file, keepWritersOut }) => {
  const url = pathToFileURL(file);
  // Do not create an empty database where the file was moved away.
  url.searchParams.set('mode', 'rw');
  // SQLite removes the log with the last connection, so this one must not stay open.
  const database = new DatabaseSync(url, { timeout: LOCK_TIMEOUT_MS });
  try {
    // The copy has to be on disk before the log may be overwritten.
    database.exec('pragma synchronous = full; pragma fullfsync = on; pragma wal_autocheckpoint = 0');
    database.exec(`pragma wal_checkpoint(${keepWritersOut ? 'full' : 'passive'})`);
  } finally {
    database.close();
  }
});
