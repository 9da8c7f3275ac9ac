import { createHash } from 'node:crypto';
import type { PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { DatabaseTimes } from '../counts.ts';
import { type ConnectionUse, hasMadeChange, recordChangeMade } from './connection-turns.ts';
import { DatabaseOutage } from './database-outage.ts';
import { CopyFrom, isCopyFrom } from './postgres-copy.ts';
import type { PostgresWatch } from './postgres-watch.ts';
import { isPrepared } from './prepared.ts';
import { mayChange } from './statement-kind.ts';
import { timed } from './timed.ts';

/** A client of the pool, and how to release it. */
export interface TakenClient {
  readonly client: pg.PoolClient;
  /** Returns the client to the pool, or destroys it. */
  readonly release: (destroy: boolean) => void;
}

interface LeaseOptions {
  readonly take: (use: ConnectionUse) => Promise<TakenClient>;
  readonly watch: PostgresWatch | undefined;
  readonly times: DatabaseTimes;
  /** Called with every error. */
  readonly onError: (error: unknown) => void;
}

type Result = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>;

/**
 * A connection for one query or one transaction. The first statement takes it from the pool, since it shows what the
 * connection is used for. Statements of `prepared()` have names, so that the server parses each only once. The statement
 * that begins a transaction is sent together with the next one, in one round trip instead of two.
 */
export class PostgresLease implements PostgresPoolClient {
  readonly #options: LeaseOptions;
  #taking: Promise<TakenClient> | undefined;
  #taken: TakenClient | undefined;
  /** The statement that begins the transaction, until it is sent. */
  #beginning: string | undefined;
  #isInTransaction = false;
  /** True if the transaction may have changed something. */
  #hasChanged = false;
  /** The number of statements without an answer. Their callers may already have been told of a timeout. */
  #unanswered = 0;
  #isLost = false;
  #isReleased = false;
  #onAnswered: (() => void) | undefined;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  query = ((text: string, values: unknown[]) =>
    this.#send(text, values).catch((error: unknown) => {
      this.#options.onError(error);
      // The request has already made a change, and the rest of it fails.
      throw error instanceof DatabaseOutage && hasMadeChange() ? error.afterChange() : error;
    })) as unknown as PostgresPoolClient['query'];

  release(destroy?: boolean): void {
    this.#isReleased = true;
    const taken = this.#taken;
    if (!taken) return;
    const giveBack = () => taken.release(Boolean(destroy) || this.#isLost);
    if (this.#unanswered === 0) giveBack();
    else this.#onAnswered = giveBack;
  }

  async #send(text: string, values: unknown[]): Promise<Result> {
    // The client may belong to another lease by now.
    if (this.#isReleased) throw new Error('The transaction is over.');
    if (/^(begin|start transaction)/.test(text)) {
      this.#beginning = text;
      this.#isInTransaction = true;
      return { command: 'BEGIN', rowCount: 0, rows: [] };
    }
    const isEnd = text === 'commit' || text === 'rollback';
    // A transaction in which nothing was sent need not take place. A lost connection has rolled back by itself.
    if (isEnd && (this.#beginning !== undefined || (text === 'rollback' && this.#isLost))) {
      this.#beginning = undefined;
      return { command: text.toUpperCase(), rowCount: 0, rows: [] };
    }
    const isChange = !isEnd && mayChange(text);
    if (isChange) this.#hasChanged = true;
    const isCommit = this.#isInTransaction ? text === 'commit' && this.#hasChanged : isChange;
    const statement = isPrepared(text) ? { name: nameOf(text), text, values } : { text, values };
    const first = this.#beginning;
    this.#beginning = undefined;
    const { client } = this.#taken ?? (await this.#take(useOf(first, isChange)));
    const beginSent = first === undefined ? undefined : this.#ask(client, first, false);
    const [result] = await timed(this.#options.times, isEnd ? 'commit' : isChange ? 'write' : 'read', () =>
      Promise.all([this.#ask(client, statement, isCommit), beginSent]),
    );
    if (isCommit) recordChangeMade();
    return result;
  }

  async #take(use: ConnectionUse): Promise<TakenClient> {
    this.#taking ??= timed(this.#options.times, 'turn', () => this.#options.take(use));
    this.#taken = await this.#taking;
    return this.#taken;
  }

  #ask(client: pg.PoolClient, statement: string | pg.QueryConfig, isCommit: boolean): Promise<Result> {
    return new Promise((resolve, reject) => {
      const fail = (error: DatabaseOutage) => {
        this.#isLost = true;
        reject(error);
      };
      const end = this.#options.watch?.begin({ isCommit, fail, destroy: () => destroyClient(client) });
      this.#unanswered += 1;
      const answered = () => {
        this.#unanswered -= 1;
        if (this.#unanswered === 0) this.#onAnswered?.();
      };
      send(client, statement).then(
        (result) => {
          end?.(true, isCommit);
          resolve(result);
          answered();
        },
        (error: unknown) => {
          const isFromServer = error instanceof pg.DatabaseError;
          end?.(isFromServer);
          const isLost = !isFromServer || isFatal(error);
          if (isLost) this.#isLost = true;
          reject(isCommit && isLost ? new DatabaseOutage({ mayHaveChanged: true, cause: error }) : error);
          answered();
        },
      );
    });
  }
}

function send(client: pg.PoolClient, statement: string | pg.QueryConfig): Promise<Result> {
  if (typeof statement === 'string' || !isCopyFrom(statement.text)) return client.query(statement);
  const copy = new CopyFrom(statement.text, String(statement.values?.[0]));
  client.query(copy);
  return copy.done;
}

/** Ends the connection without notifying the server, which may be unreachable. */
export function destroyClient(client: pg.ClientBase): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/** True if the server ended the connection with this error: a commit may have succeeded before. */
function isFatal({ severity }: pg.DatabaseError): boolean {
  return severity === 'FATAL' || severity === 'PANIC';
}

function useOf(beginning: string | undefined, isChange: boolean): ConnectionUse {
  if (beginning === undefined) return isChange ? 'write' : 'read';
  return beginning.includes('read only') ? 'read' : 'write';
}

const names = new Map<string, string>();

function nameOf(sql: string): string {
  let name = names.get(sql);
  if (!name) {
    name = `f_${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`;
    names.set(sql, name);
  }
  return name;
}
