import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { counts } from '../counts.ts';
import { ConnectionTurns, type ConnectionUse } from './connection-turns.ts';
import type { Db } from './database.ts';
import { DatabaseOutage } from './database-outage.ts';
import { recordDamage, recordOutage, registerFaults } from './faults.ts';
import type { OnConnect } from './new-connection.ts';
import { destroyClient, PostgresLease, type TakenClient } from './postgres-lease.ts';
import { PostgresWatch } from './postgres-watch.ts';
import { registerReplica } from './replica.ts';
import type { Schema } from './schema.ts';

interface PostgresOptions {
  /** How many connections the pool may have. */
  readonly poolSize: number;
  /** How long an answer may take, in milliseconds; 0 for no limit. */
  readonly timeoutMs: number;
  /** True if statements may take longer than that while the database answers others. */
  readonly hasLongStatements: boolean;
  readonly onConnect?: OnConnect | undefined;
  /** A replica of the database, which is closed with it. */
  readonly replica?: Db | undefined;
  /** True if the URL is that of a replica. */
  readonly isReplica?: boolean;
}

/** How long the server may take to accept a connection. */
const CONNECT_TIMEOUT_MS = 5000;
/**
 * How long a statement may take if answers have no limit or statements may be long, unless its transaction sets another
 * limit.
 */
const LONG_STATEMENT_TIMEOUT_MS = 60_000;

/** How much later than the server this process gives up a long statement. */
const GRACE_MS = 1000;

/** Connects to PostgreSQL lazily, with a pool of connections. `PostgresWatch` handles a server that does not answer. */
export function openPostgres(url: string, options: PostgresOptions): Db {
  const { poolSize, timeoutMs, hasLongStatements, onConnect, replica, isReplica = false } = options;
  // By default, bigint and numeric aggregates arrive as text. Ours are counts, cents and milliseconds, all below 2^53.
  const types = new pg.TypeOverrides();
  types.setTypeParser(pg.types.builtins.INT8, Number);
  types.setTypeParser(pg.types.builtins.NUMERIC, Number);
  // A working server ends a long statement before this process gives it up, and reports that nothing was changed.
  const isLong = timeoutMs === 0 || hasLongStatements;
  const statementTimeout = isLong ? LONG_STATEMENT_TIMEOUT_MS : Math.ceil(timeoutMs * 0.9);
  const settings = {
    connectionString: url,
    application_name: 'freehold',
    // An acknowledged change must be on disk, whatever the server's default. A lost client must not keep its locks.
    options: `-c synchronous_commit=on -c idle_in_transaction_session_timeout=60000 -c statement_timeout=${statementTimeout}`,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
  const pool = new pg.Pool({
    ...settings,
    max: poolSize,
    types,
    connectionTimeoutMillis: timeoutMs === 0 ? CONNECT_TIMEOUT_MS : Math.min(CONNECT_TIMEOUT_MS, timeoutMs),
    // Statements that do not depend on each other are sent together.
    pipeline: true,
    ...(onConnect && { onConnect: async (client: pg.ClientBase) => void (await onConnect(client)) }),
  });
  const clients = new Set<pg.PoolClient>();
  // The pool replaces a broken idle connection at the next use. Without a listener, the error would end the process.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    clients.add(client);
    watch?.hear();
    // A connection in use needs a listener too, since the pool only listens to idle connections. Its query reports the
    // failure.
    client.on('error', () => {});
  });
  pool.on('remove', (client) => clients.delete(client));
  const turns = new ConnectionTurns(poolSize, {
    maxWaitMs: timeoutMs || undefined,
    name: isReplica ? 'connections to the replica' : 'connections',
  });
  const watch =
    timeoutMs === 0
      ? undefined
      : new PostgresWatch({
          timeoutMs,
          statementTimeoutMs: Math.max(timeoutMs, hasLongStatements ? LONG_STATEMENT_TIMEOUT_MS + GRACE_MS : 0),
          probe: (probeTimeoutMs) => probe(settings, probeTimeoutMs),
          onChange: (outage) => {
            recordOutage(faults, outage);
            if (outage === undefined) return;
            turns.refuseWaiting('write', new DatabaseOutage({ isKnown: true }));
            if (outage === 'commits') return;
            turns.refuseWaiting('read', new DatabaseOutage({ isKnown: true }));
            // Idle connections would not get answers either.
            for (const client of clients) destroyClient(client);
          },
        });
  const onError = (error: unknown) => recordDamage(faults, error);
  const times = counts.database[isReplica ? 'replica' : 'primary'];
  const lease = { take: taker({ pool, turns, watch }), watch, onError, times };
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({
      pool: {
        connect: async () => new PostgresLease(lease),
        end: async () => {
          watch?.close();
          await Promise.all([pool.end(), replica?.destroy()]);
        },
        options: pool.options,
      },
    }),
  });
  const faults = registerFaults(db.getExecutor().adapter);
  if (replica) registerReplica(db, replica);
  return db;
}

interface TakerOptions {
  readonly pool: pg.Pool;
  readonly turns: ConnectionTurns;
  readonly watch: PostgresWatch | undefined;
}

/** Returns a function that waits for a turn and then takes a client of the pool. */
function taker({ pool, turns, watch }: TakerOptions) {
  return async (use: ConnectionUse): Promise<TakenClient> => {
    const leave = watch?.admit(use);
    let releaseTurn = () => {};
    const giveUp = () => {
      releaseTurn();
      leave?.();
    };
    try {
      releaseTurn = await turns.take(use);
      if (watch?.isSilent) throw new DatabaseOutage({ isKnown: true });
    } catch (error) {
      giveUp();
      throw error;
    }
    const client = await connect(pool, watch, giveUp);
    return {
      client,
      release: (destroy) => {
        client.release(destroy);
        giveUp();
      },
    };
  };
}

/** Takes a client of the pool. If that fails, calls `giveUp`, but not before the pool has ended its attempt. */
function connect(pool: pg.Pool, watch: PostgresWatch | undefined, giveUp: () => void): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    let isTooLate = false;
    const fail = (error: DatabaseOutage) => {
      isTooLate = true;
      reject(error);
    };
    // An idle client is available at once.
    const end = pool.idleCount > 0 ? undefined : watch?.begin({ isCommit: false, fail, destroy: () => {} });
    pool.connect().then(
      (client) => {
        end?.(false);
        if (!isTooLate) return resolve(client);
        client.release(true);
        giveUp();
      },
      (error: unknown) => {
        end?.(error instanceof pg.DatabaseError);
        reject(error);
        giveUp();
      },
    );
  });
}

/** Asks the server on a separate connection whether it answers. @throws the reason if it does not */
async function probe(settings: pg.ClientConfig, timeoutMs: number): Promise<void> {
  const client = new pg.Client({ ...settings, connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
  } catch (error) {
    // A server that refuses this connection does answer, unless it is starting or stopping.
    if (!(error instanceof pg.DatabaseError) || error.code?.startsWith('57P')) throw error;
  } finally {
    destroyClient(client);
  }
}
