import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { counts } from '../counts.ts';

/** The turn of one transaction with the writer. The caller calls either `commit` or `rollback`, once. */
export interface TransactionSlot {
  /** How many bytes of values its statements have sent to the database so far, counted by the connection. */
  bytes: number;
  /** Ends the transaction. Resolves once it is on disk, together with the transactions that share its sync. */
  commit(): Promise<void>;
  /**
   * Rolls the transaction back. Resolves once the transactions that share its sync are on disk. One of them may be the
   * reason for the rollback, for example if it took a name, and the reason must not be reported before it is durable.
   */
  rollback(): Promise<void>;
}

/** How long to wait for a writer of another process. */
const LOCK_TIMEOUT_MS = 10_000;

/** How many more rounds of the event loop a group may stay open while it grows. */
const MAX_ROUNDS = 16;

/** The size at which a group is committed before the next transaction begins, which would otherwise wait for all of it. */
const MAX_GROUP_BYTES = 2 * 1024 * 1024;

/** Callbacks around the commits of groups. */
interface CommitHooks {
  /** Awaited before a group begins, without the write lock. */
  beforeGroup?: () => Promise<void> | undefined;
  /** Called when a group is on disk, before its transactions resolve. If the hook throws, they all fail with its error. */
  afterCommit?: () => void;
}

/**
 * Commits transactions in groups. Transactions that arrive together run one after another inside one SQLite transaction,
 * each in its savepoint and with its own outcome, so that they share one sync to disk. The shared transaction is committed
 * once the event loop has run everything that was ready. No caller gets an answer before that.
 *
 * Inside a transaction, await only its queries. They settle without returning to the event loop, so that the writer is
 * locked only for a short time.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #hooks: CommitHooks;
  readonly #statements = new Map<string, StatementSync>();
  /** Resolves when the transaction that has the turn ends: the tail of a queue of promises. */
  #tail: Promise<void> = Promise.resolve();
  #group: Group | undefined;

  constructor(database: DatabaseSync, hooks: CommitHooks = {}) {
    this.#database = database;
    this.#hooks = hooks;
  }

  async begin(): Promise<TransactionSlot> {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#tail;
    this.#tail = ended;
    await before;
    try {
      if (!this.#group) await this.#open();
      this.#exec('savepoint turn');
    } catch (error) {
      end();
      throw error;
    }
    const group = this.#group!;
    group.transactions += 1;
    return this.#slot(group, end);
  }

  /** Resolves once no transaction is running or waiting to be committed. */
  async idle(): Promise<void> {
    await this.#tail;
    await this.#group?.committed.catch(() => {});
  }

  #slot(group: Group, end: () => void): TransactionSlot {
    const leave = (...statements: string[]) => {
      try {
        // A full disk or a failed sync can make SQLite abandon the whole transaction, with the work of all who share it.
        if (this.#group === group && !this.#database.isTransaction) this.#fail(group, abandoned());
        if (this.#group === group) for (const sql of statements) this.#exec(sql);
      } catch (error) {
        this.#fail(group, this.#database.isTransaction ? error : abandoned());
      }
      group.bytes += slot.bytes;
      if (group.bytes >= MAX_GROUP_BYTES) this.#commit(group);
      end();
    };
    const slot: TransactionSlot = {
      bytes: 0,
      commit: () => {
        leave('release turn');
        return group.committed;
      },
      rollback: () => {
        leave('rollback to turn', 'release turn');
        return group.committed;
      },
    };
    return slot;
  }

  async #open(): Promise<void> {
    await this.#hooks.beforeGroup?.();
    await this.#lock();
    const { promise: committed, resolve, reject } = Promise.withResolvers<void>();
    // The rejection must not count as unhandled if no transaction is waiting when the group fails.
    committed.catch(() => {});
    const group: Group = { committed, resolve, reject, transactions: 0, bytes: 0 };
    this.#group = group;
    this.#closeSoon(group, 0, 0);
  }

  /**
   * Commits the group once the event loop has run everything that was ready. As long as a round brings more transactions,
   * another round follows, since more are likely on their way.
   */
  #closeSoon(group: Group, turnsBefore: number, round: number): void {
    setImmediate(() => {
      if (group.transactions > turnsBefore && round < MAX_ROUNDS) this.#closeSoon(group, group.transactions, round + 1);
      else void this.#close(group);
    });
  }

  async #close(group: Group): Promise<void> {
    // Queues behind the running transaction: none is interrupted, and transactions that already wait still join.
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const before = this.#tail;
    this.#tail = ended;
    await before;
    this.#commit(group);
    end();
  }

  /** Commits the group unless it has already been committed or has failed. Only the transaction that has the turn calls it. */
  #commit(group: Group): void {
    if (this.#group !== group) return;
    try {
      this.#exec('commit');
      this.#group = undefined;
      this.#hooks.afterCommit?.();
      counts.sqlite.commits += 1;
      counts.sqlite.transactions += group.transactions;
      group.resolve();
    } catch (error) {
      this.#fail(group, error);
    }
  }

  /** Fails every transaction of the group. The next transaction opens a new group. */
  #fail(group: Group, error: unknown): void {
    this.#group = undefined;
    try {
      if (this.#database.isTransaction) this.#exec('rollback');
    } catch {
      // Nothing was committed. The waiting callers must be told, and the next transaction must get its turn.
    }
    group.reject(error);
  }

  /** Takes the write lock. The event loop keeps running while another process holds it. */
  async #lock(): Promise<void> {
    const giveUp = Date.now() + LOCK_TIMEOUT_MS;
    for (let attempt = 0; ; attempt++) {
      try {
        this.#exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error) || Date.now() > giveUp) throw error;
        await sleep(1 + Math.random() * Math.min(attempt, 10));
      }
    }
  }

  #exec(sql: string): void {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#database.prepare(sql);
      // Every result contains the last inserted rowid, and FTS5 inserts rowids above 2^53 into its own tables.
      statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    statement.run();
  }
}

interface Group {
  /** The number of transactions that have joined. */
  transactions: number;
  /** How many bytes the transactions have sent to the database. */
  bytes: number;
  committed: Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Returns an error that `isUnavailable` recognizes: the requests that shared the transaction are not at fault. */
function abandoned(): Error {
  return new Error('The transaction was abandoned by the database.');
}

/** True if another connection has the lock. */
export function isBusy(error: unknown): boolean {
  // SQLITE_BUSY and its extended codes share the low byte.
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === 5;
}
