import { createHash } from 'node:crypto';
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { ConnectionTurns } from './connection-turns.ts';
import type { Db } from './database.ts';
import { recordDamage, registerFaults } from './faults.ts';
import { isPrepared } from './prepared.ts';
import type { Schema } from './schema.ts';

/** Connects to PostgreSQL lazily, with a pool of at most `poolSize` connections. */
export function openPostgres(url: string, poolSize: number): Db {
  // bigint and numeric aggregates come as text by default; ours are counts, cents and milliseconds, all below 2^53.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    types,
    application_name: 'freehold',
    connectionTimeoutMillis: 5000,
    // An answered creation is on disk, whatever the server's default; a lost client must not hold its locks.
    options: '-c synchronous_commit=on -c idle_in_transaction_session_timeout=60000 -c statement_timeout=60000',
    keepAlive: true,
    // Statements that do not wait for each other are sent together.
    pipeline: true,
  });
  // A broken idle connection is replaced by the pool at the next use; without a listener it would end the process.
  pool.on('error', () => {});
  // A connection in use needs a listener, too: its query reports the failure. The pool listens to idle connections only.
  pool.on('connect', (client) => client.on('error', () => {}));
  const note = (error: unknown) => recordDamage(faults, error);
  const turns = new ConnectionTurns(poolSize);
  const connect = async () => {
    const giveBack = await turns.take();
    try {
      return economical(await pool.connect(), { note, giveBack });
    } catch (error) {
      giveBack();
      throw error;
    }
  };
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        connect,
        end: () => pool.end(),
        options: pool.options,
      },
    }),
  });
  const faults = registerFaults(db.getExecutor().adapter);
  return db;
}

interface ClientUse {
  readonly note: (error: unknown) => void;
  /** Called when the client has been released. */
  readonly giveBack: () => void;
}

/** Kysely knows a connection by its client, so each client has one wrapper for all uses. */
const clients = new WeakMap<pg.PoolClient, { wrapped: PostgresPoolClient; use: ClientUse }>();

/**
 * Returns the client with two savings. The statements of `prepared()` have names, so that the server parses each only once.
 * The beginning of a transaction travels with its first statement, in one round trip instead of two.
 */
function economical(client: pg.PoolClient, use: ClientUse): PostgresPoolClient {
  const known = clients.get(client);
  if (known) {
    known.use = use;
    return known.wrapped;
  }
  let begin: string | undefined;
  const send = async (text: string, values: unknown[]): Promise<unknown> => {
    if (/^(begin|start transaction)/.test(text)) {
      begin = text;
      return { command: 'BEGIN', rowCount: 0, rows: [] };
    }
    const statement = isPrepared(text) ? { name: nameOf(text), text, values } : { text, values };
    if (begin === undefined) return client.query(statement);
    const first = begin;
    begin = undefined;
    // Nothing was asked in this transaction: it need not take place.
    if (text === 'commit' || text === 'rollback') return { command: text.toUpperCase(), rowCount: 0, rows: [] };
    const [, result] = await Promise.all([client.query(first), client.query(statement)]);
    return result;
  };
  const query = (text: string, values: unknown[]) =>
    send(text, values).catch((error: unknown) => {
      use.note(error);
      throw error;
    });
  const wrapped: PostgresPoolClient = {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      client.release(destroy);
      entry.use.giveBack();
    },
  };
  const entry = { wrapped, use };
  clients.set(client, entry);
  return wrapped;
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
