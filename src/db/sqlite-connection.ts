import type { SQLInputValue } from 'node:sqlite';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { currentSurface } from './connection-turns.ts';
import { type DatabaseFaults, recordDamage } from './faults.ts';
import type { TransactionSlot } from './sqlite-group-commit.ts';
import type { Handle } from './sqlite-handle.ts';

/**
 * How many bytes of parameters a cached statement may keep. With more, preparing the statement again costs little by
 * comparison.
 */
const MAX_BOUND_BYTES = 64 * 1024;

/** A connection for Kysely: for single queries, or for one transaction. */
export class Connection implements DatabaseConnection {
  handle: Handle;
  slot: TransactionSlot | undefined;
  isSnapshot = false;
  /** True if its transaction has ended. */
  isOver = false;
  readonly #faults: DatabaseFaults;

  constructor(handle: Handle, faults: DatabaseFaults) {
    this.handle = handle;
    this.#faults = faults;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return this.#execute(query);
    } catch (error) {
      recordDamage(this.#faults, error);
      throw error;
    }
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    // SQLite may have abandoned the transaction after an error. Outside it, a change would be committed on its own.
    const isAbandoned = this.slot && !this.handle.database.isTransaction;
    if (this.isOver || isAbandoned) throw new Error('The transaction is over.');
    const { prepared, returnsRows, times } = this.handle.statement(query.sql);
    const parameters = query.parameters as SQLInputValue[];
    const bytes = bytesOf(parameters);
    if (this.slot) this.slot.bytes += bytes;
    if (bytes > MAX_BOUND_BYTES) this.handle.forget(query.sql);
    const at = performance.now();
    if (returnsRows) {
      const rows = prepared.all(...parameters) as R[];
      times[currentSurface()].observe(performance.now() - at);
      return { rows };
    }
    const { changes, lastInsertRowid } = prepared.run(...parameters);
    times[currentSurface()].observe(performance.now() - at);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    const parameters = query.parameters as SQLInputValue[];
    try {
      for (const row of this.handle.statement(query.sql).prepared.iterate(...parameters)) yield { rows: [row as R] };
    } catch (error) {
      recordDamage(this.#faults, error);
      throw error;
    }
  }
}

/** Estimates the bytes of the parameters by the length of their texts: other parameters are never long. */
function bytesOf(parameters: readonly SQLInputValue[]): number {
  let bytes = 0;
  for (const value of parameters) if (typeof value === 'string') bytes += value.length;
  return bytes;
}
