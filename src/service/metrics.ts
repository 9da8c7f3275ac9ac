import { statfs } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import { counts } from '../counts.ts';
import type { Db } from '../db/database.ts';
import { faultsOf } from '../db/faults.ts';
import { queueUse } from '../fair-semaphore.ts';
import type { RejectedRequest } from '../http/rejected-request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { RequestTimes, registerTimes } from './request-times.ts';

/** Registers this process's metrics. Returns callbacks for responses and for rejected requests. */
export function measure(registry: Registry, db: Db, dataDir: string) {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });

  const times = new RequestTimes(registry);
  measureDatabase(registry, db);

  new Gauge({
    name: 'freehold_queue_waiting',
    help: 'The number of waiting tasks, by what they wait for.',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, { waiting }] of queueUse()) this.set({ queue }, waiting);
    },
  });

  new Gauge({
    name: 'freehold_queue_used_ratio',
    help: 'The share of the capacity in use, from 0 to 1, by what tasks wait for.',
    labelNames: ['queue'],
    registers: [registry],
    // Each process has its own capacity, so the fullest one counts.
    aggregator: 'max',
    collect() {
      for (const [queue, { used }] of queueUse()) this.set({ queue }, used);
    },
  });
  measureCounts(registry);

  new Gauge({
    name: 'freehold_data_free_bytes',
    help: 'The free bytes on the disk of DATA_DIR.',
    registers: [registry],
    aggregator: 'first',
    async collect() {
      const found = await statfs(dataDir).catch(() => undefined);
      if (found) this.set(found.bavail * found.bsize);
    },
  });

  new Gauge({
    name: 'freehold_database_damaged',
    help: 'Whether the database has reported damage since the start: 1 or 0.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(faultsOf(db).damage === undefined ? 0 : 1);
    },
  });

  new Gauge({
    name: 'freehold_database_silent',
    help: 'Whether the database does not answer: 1 or 0.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(faultsOf(db).outage === undefined ? 0 : 1);
    },
  });

  const refusals = new Counter({
    name: 'freehold_http_refusals_total',
    help: 'Responses to invalid HTTP requests, by status.',
    labelNames: ['status'],
    registers: [registry],
  });

  return {
    answered: ({ route, request }: RequestContext, { statusCode }: ServerResponse, milliseconds: number): void => {
      // Paths without a route are counted together, since clients can invent any number of them.
      times.observe(route || 'none', route ? request.method! : 'any', statusCode, milliseconds);
    },
    refused: ({ status }: RejectedRequest): void => refusals.inc({ status }),
  };
}

/** Registers the metrics of events that this process counts. */
function measureCounts(registry: Registry): void {
  new Counter({
    name: 'freehold_cache_requests_total',
    help: 'The number of answers that came from a cache (hit) or not (miss), by cache.',
    labelNames: ['cache', 'result'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [cache, { hits, misses }] of Object.entries(counts.caches)) {
        this.inc({ cache, result: 'hit' }, hits);
        this.inc({ cache, result: 'miss' }, misses);
      }
    },
  });

  new Counter({
    name: 'freehold_snapshots_total',
    help: 'The number of snapshots for lists and sites, by whether they were read from the replica, or from the primary because the replica was behind or failed.',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(counts.snapshots)) this.inc({ server }, count);
    },
  });

  const ofDatabase = {
    name: 'freehold_database_seconds',
    help: 'The time that the database took, by surface: for reads, writes and commits, and for queries and transactions that waited for a connection.',
  };
  registerTimes(registry, ofDatabase, () =>
    Object.entries(counts.database).flatMap(([server, byKind]) =>
      Object.entries(byKind).flatMap(([kind, bySurface]) =>
        Object.entries(bySurface)
          .filter(([, times]) => !times.isEmpty)
          .map(([surface, times]) => ({ labels: { kind, server, surface }, times })),
      ),
    ),
  );

  new Counter({
    name: 'freehold_sqlite_transactions_total',
    help: 'The number of transactions committed to SQLite.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.sqlite.transactions);
    },
  });

  new Counter({
    name: 'freehold_sqlite_commits_total',
    help: 'The number of commits to disk that these transactions shared.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.sqlite.commits);
    },
  });
}

/** Registers the metrics of data in the database, which are equal in all processes. */
function measureDatabase(registry: Registry, db: Db): void {
  const ofDatabase = { registers: [registry], aggregator: 'first' as const };
  new Gauge({
    name: 'freehold_outbox_messages',
    help: 'The number of unsent messages in the outbox, by status.',
    labelNames: ['status'],
    ...ofDatabase,
    async collect() {
      this.reset();
      // Errors are ignored: the other metrics matter most while the database is unreachable.
      const rows = await countOutbox(db).catch(() => []);
      for (const { status, count } of rows) this.set({ status }, Number(count));
    },
  });

  new Gauge({
    name: 'freehold_outbox_overdue_seconds',
    help: 'How long the oldest unsent message has been due; 0 if none is waiting.',
    ...ofDatabase,
    async collect() {
      const oldest = await oldestDue(db).catch(() => undefined);
      if (oldest) this.set(Math.max(0, Date.now() - (oldest.due_at ?? Date.now())) / 1000);
    },
  });

  new Gauge({
    name: 'freehold_webhooks',
    help: 'The number of webhooks that fail, and that are paused because they failed for too long.',
    labelNames: ['state'],
    ...ofDatabase,
    async collect() {
      const counts = await countWebhooks(db).catch(() => undefined);
      if (!counts) return;
      this.set({ state: 'failing' }, Number(counts.failing));
      this.set({ state: 'paused' }, Number(counts.paused));
    },
  });
}

/**
 * Counts the messages of each status. A literal status lets the database use that status's own index; sent messages may be
 * a hundred times as many.
 */
function countOutbox(db: Db) {
  const count = (status: 'queued' | 'failed') =>
    db
      .selectFrom('outbox')
      .select((e) => [sql.lit(status).as('status'), e.fn.countAll<number>().as('count')])
      .where('status', '=', sql.lit(status));
  return count('queued').unionAll(count('failed')).execute();
}

/** Returns the oldest due time of a queued message. Uses the worker's index, which contains only queued messages. */
async function oldestDue(db: Db): Promise<{ due_at: number | null }> {
  const oldest = await db
    .selectFrom('outbox')
    .select('due_at')
    .where('status', '=', sql.lit('queued' as const))
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return oldest ?? { due_at: null };
}

function countWebhooks(db: Db) {
  const isPaused = sql<boolean>`paused_at is not null`;
  return db
    .selectFrom('webhooks')
    .select([
      sql<number>`coalesce(sum(case when ${isPaused} then 1 else 0 end), 0)`.as('paused'),
      sql<number>`coalesce(sum(case when ${isPaused} then 0 else 1 end), 0)`.as('failing'),
    ])
    .where('failing_since', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
}
