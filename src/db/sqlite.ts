import { closeSync, fchownSync, openSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { makeFolder } from '../make-folder.ts';
import type { Db } from './database.ts';
import { readDirectly } from './prepared.ts';
import type { Schema } from './schema.ts';
import { GroupCommit, isBusy, type Turn } from './sqlite-group-commit.ts';
import { tellsChanges } from './unchanged.ts';

/** Opens (and creates) `freehold.db` in the folder. One process may open it many times, and many processes at once. */
export function openSqlite(dataDir: string): Db {
  makeFolder(dataDir);
  const file = join(dataDir, 'freehold.db');
  createPrivately(file);
  const adapter = new Adapter();
  const driver = new SqliteDriver(file);
  readDirectly(adapter, (sql, parameters) => driver.read(sql, parameters));
  tellsChanges(adapter, () => driver.state());
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  });
}

/**
 * It has password hashes and mail in it, and SQLite would let everyone on the machine read it; its log gets the same
 * mode. One that exists is not even opened here: closing it would take off the locks of whoever has it open.
 */
function createPrivately(file: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600);
    // Whoever restores a backup as root means it for the one whose folder it is: the service could not open it.
    if (process.getuid?.() === 0) {
      const { uid, gid } = statSync(dirname(file));
      fchownSync(handle, uid, gid);
    }
    closeSync(handle);
  } catch {
    // It exists, or SQLite will say what is wrong.
  }
}

class Adapter extends SqliteAdapter {
  // Readers have connections of their own, so Kysely need not queue everything behind one.
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/**
 * Kysely's driver over `node:sqlite`, with three kinds of connection:
 * - single queries share one that only reads, so that they never see a transaction that is not committed yet;
 * - transactions share the one writer, through group commit (see sqlite-group-commit.ts);
 * - a read-only transaction (`setAccessMode('read only')`) has a connection to itself: a snapshot.
 */
class SqliteDriver implements Driver {
  readonly #file: string;
  #writer: Handle | undefined;
  #reader: Handle | undefined;
  #groupCommit: GroupCommit | undefined;
  #version: StatementSync | undefined;
  readonly #idleSnapshots: Handle[] = [];
  #state: number | undefined;
  readonly #forgetState = () => {
    this.#state = undefined;
  };

  constructor(file: string) {
    this.#file = file;
  }

  async init(): Promise<void> {
    this.#open();
  }

  #open(): void {
    if (this.#reader) return;
    this.#writer = new Handle(this.#file, 'read write');
    this.#reader = new Handle(this.#file, 'read only');
    this.#groupCommit = new GroupCommit(this.#writer.database);
    this.#version = this.#reader.database.prepare('pragma data_version');
    // Asked in every turn of the event loop that has a request: a fifth of it would go into an object around the number.
    this.#version.setReturnArrays(true);
  }

  read(sql: string, parameters: readonly unknown[]): unknown[] {
    this.#open();
    return this.#reader!.statement(sql).prepared.all(...(parameters as SQLInputValue[]));
  }

  /**
   * SQLite's own counter of commits by others: and all commits are by others than the reader. Questions that follow each
   * other without a break have one answer: what they are about had arrived before the first of them.
   */
  state(): number {
    if (this.#state !== undefined) return this.#state;
    this.#open();
    const [version] = this.#version!.get() as unknown as [number];
    process.nextTick(this.#forgetState);
    this.#state = version;
    return version;
  }

  async acquireConnection(): Promise<Connection> {
    return new Connection(this.#reader!);
  }

  async beginTransaction(connection: Connection, settings: TransactionSettings): Promise<void> {
    if (settings.accessMode === 'read only') {
      connection.handle = this.#idleSnapshots.pop() ?? new Handle(this.#file, 'read only');
      connection.snapshot = true;
      connection.handle.database.exec('begin');
    } else {
      connection.turn = await this.#groupCommit!.begin();
      connection.handle = this.#writer!;
    }
  }

  async commitTransaction(connection: Connection): Promise<void> {
    const { turn } = connection;
    connection.isOver = true;
    if (!turn) return this.#endSnapshot(connection);
    connection.turn = undefined;
    connection.handle = this.#reader!;
    await turn.commit();
    this.#state = undefined;
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    const { turn } = connection;
    connection.isOver = true;
    if (!turn) return this.#endSnapshot(connection);
    connection.turn = undefined;
    connection.handle = this.#reader!;
    await turn.rollback();
  }

  #endSnapshot(connection: Connection): void {
    // Reached without a snapshot when a commit failed and Kysely then rolls back: there is nothing left to undo.
    if (!connection.snapshot) return;
    const { handle } = connection;
    connection.snapshot = false;
    connection.handle = this.#reader!;
    try {
      handle.database.exec('commit');
    } catch {
      handle.close();
      return;
    }
    if (this.#idleSnapshots.length < 4) this.#idleSnapshots.push(handle);
    else handle.close();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#groupCommit?.idle();
    for (const handle of this.#idleSnapshots.splice(0)) handle.close();
    this.#reader?.close();
    this.#writer?.close();
  }
}

/** One `node:sqlite` connection and its prepared statements. */
class Handle {
  readonly database: DatabaseSync;
  readonly #statements = new Map<string, Statement>();

  constructor(file: string, mode: 'read only' | 'read write') {
    // Whoever opens the file first, or first after a crash, has it to itself for a moment: that is waited for.
    this.database = new DatabaseSync(file, { timeout: PATIENCE });
    useLog(this.database);
    // An answered creation must survive a power cut: WAL's usual NORMAL would lose the last commits.
    this.database.exec('pragma synchronous = full');
    // On macOS a sync leaves what was written in the drive's memory otherwise, checkpoints included; elsewhere it does not.
    this.database.exec('pragma fullfsync = on');
    this.database.exec('pragma foreign_keys = on');
    this.database.exec('pragma cache_size = -16000');
    this.database.exec('pragma temp_store = memory');
    // The pages that every creation touches are then copied back to the database once instead of many times.
    this.database.exec('pragma wal_autocheckpoint = 4000');
    // Never sleep in a query: group commit waits for other processes' locks without blocking this one.
    this.database.exec(`pragma busy_timeout = ${mode === 'read only' ? 2000 : 0}`);
    if (mode === 'read only') this.database.exec('pragma query_only = on');
  }

  statement(sql: string): Statement {
    let statement = this.#statements.get(sql);
    if (statement) return statement;
    const prepared = this.database.prepare(sql);
    statement = { prepared, returnsRows: prepared.columns().length > 0 };
    // Text made on the fly (lists of ids) must not fill the memory: the oldest is let go.
    if (this.#statements.size >= 300) this.#statements.delete(this.#statements.keys().next().value!);
    this.#statements.set(sql, statement);
    return statement;
  }

  close(): void {
    this.#statements.clear();
    this.database.close();
  }
}

/** How long whoever opens the file waits for others who do, in milliseconds. */
const PATIENCE = 10_000;

/**
 * Readers go on while a writer writes, and a commit is one append to the log. Of several that come upon a new file at once,
 * each has a lock that the others wait for: SQLite refuses all but one then, without waiting, so they ask again.
 */
function useLog(database: DatabaseSync): void {
  for (const end = performance.now() + PATIENCE; ; ) {
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
}

class Connection implements DatabaseConnection {
  handle: Handle;
  turn: Turn | undefined;
  snapshot = false;
  /** It was for a transaction, and that has ended. */
  isOver = false;

  constructor(handle: Handle) {
    this.handle = handle;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    // SQLite may have abandoned the transaction after an error; outside it a change would be committed on its own.
    const isAbandoned = this.turn && !this.handle.database.isTransaction;
    if (this.isOver || isAbandoned) throw new Error('The transaction is over.');
    const { prepared, returnsRows } = this.handle.statement(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    if (returnsRows) return { rows: prepared.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = prepared.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const parameters = query.parameters as SQLInputValue[];
    for (const row of this.handle.statement(query.sql).prepared.iterate(...parameters)) yield { rows: [row as R] };
  }
}
