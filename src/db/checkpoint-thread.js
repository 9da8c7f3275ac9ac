import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { answerInThread } from '../answer-in-thread.js';

/* What the thread of `sqlite-checkpoints.ts` runs: it copies what is in SQLite's log into the database file. */

/** How long a checkpoint that keeps writers out waits for those of other processes, and for readers, in milliseconds. */
const PATIENCE_MS = 50;

answerInThread((/** @type {import('./sqlite-checkpoints.ts').Question} */ { file, keepWritersOut }) => {
  const url = pathToFileURL(file);
  // A file that was moved away must not be made anew, empty.
  url.searchParams.set('mode', 'rw');
  // Opened for each: the log is removed when the last connection is closed, which this one must not prevent.
  const database = new DatabaseSync(url, { timeout: PATIENCE_MS });
  try {
    // What is copied has to be on disk before the log may be written over.
    database.exec('pragma synchronous = full; pragma fullfsync = on; pragma wal_autocheckpoint = 0');
    database.exec(`pragma wal_checkpoint(${keepWritersOut ? 'full' : 'passive'})`);
  } finally {
    database.close();
  }
});
