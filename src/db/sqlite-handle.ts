import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { counts, type TimesBySurface } from '../counts.ts';
import { isBusy } from './sqlite-group-commit.ts';
import { mayChange } from './statement-kind.ts';

/** One `node:sqlite` connection and its prepared statements. */
export class Handle {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, mode: 'read only' | 'read write', cache: keyof typeof CACHE_KIB = 'large') {
    // The first process to open the file, or the first after a crash, locks it for a moment: wait for that.
    this.database = new DatabaseSync(file, { timeout: OPEN_TIMEOUT_MS });
    useLog(this.database);
    // An answered creation must survive a power cut: WAL's usual NORMAL would lose the last commits.
    this.database.exec('pragma synchronous = full');
    // On macOS a sync leaves what was written in the drive's memory otherwise, checkpoints included; elsewhere it does not.
    this.database.exec('pragma fullfsync = on');
    this.database.exec('pragma foreign_keys = on');
    this.database.exec(`pragma cache_size = -${CACHE_KIB[cache]}`);
    this.database.exec('pragma temp_store = memory');
    // A thread makes checkpoints (sqlite-checkpoints.ts). This limit of 256 MB is for when the thread cannot keep up.
    this.database.exec('pragma wal_autocheckpoint = 65536');
    // A log that restarts is cut to this size.
    this.database.exec(`pragma journal_size_limit = ${64 * 1024 * 1024}`);
    // Never sleep in a query: group commit waits for other processes' locks without blocking this one.
    this.database.exec(`pragma busy_timeout = ${mode === 'read only' ? 2000 : 0}`);
    if (mode === 'read only') this.database.exec('pragma query_only = on');
  }

  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    const prepared = this.database.prepare(sql);
    const times = counts.database.primary[mayChange(sql) ? 'write' : 'read'];
    statement = { prepared, returnsRows: prepared.columns().length > 0, times };
    // Every result contains the last inserted rowid, and FTS5 inserts rowids beyond 2^53 into its own tables.
    if (!statement.returnsRows) prepared.setReadBigInts(true);
    // Text made on the fly (lists of ids) must not fill the memory: the oldest is let go.
    if (this.#statements.size >= 300) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(sql, statement);
    return statement;
  }

  /**
   * Lets go of a statement that had long texts bound: SQLite keeps its copies until the statement is used again. The garbage
   * collection frees them.
   */
  forget(sql: string): void {
    this.#statements.delete(sql);
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/**
 * How much of the file a connection keeps in memory. It gives nothing back, and a process has up to some twenty connections: with 16 MB
 * for each, they kept a hundred megabytes after large requests. The system has a cache of its own beneath: large texts are read and
 * written as fast with the small one.
 */
const CACHE_KIB = { large: 16_000, small: 4000 } as const;

/** How long opening the file waits while other processes open it. */
const OPEN_TIMEOUT_MS = 10_000;

/**
 * Readers go on while a writer writes, and a commit is one append to the log. Of several that come upon a new file at once,
 * each has a lock that the others wait for: SQLite refuses all but one then, without waiting, so they ask again.
 */
function useLog(database: DatabaseSync): void {
  for (const end = performance.now() + OPEN_TIMEOUT_MS; ; ) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

interface Statement {
  prepared: StatementSync;
  returnsRows: boolean;
  /** Counts how long it takes. */
  times: TimesBySurface;
}
