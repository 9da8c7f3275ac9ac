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
    help: 'How many tasks wait for their turn, by what they wait for.',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const [queue, { waiting }] of queueUse()) this.set({ queue }, waiting);
    },
  });

  new Gauge({
    name: 'freehold_queue_used_ratio',
    help: 'What part of the capacity is in use, by what tasks wait for: 1 is all of it.',
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
    help: 'How many bytes are free where DATA_DIR is.',
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
    help: 'Answers to connections whose bytes are not a valid request, by status.',
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
    help: 'How many answers came from a cache (hit) or had to be made (miss), by cache.',
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
    help: 'How many snapshots for lists and sites were read from the replica, and from the primary since the replica was behind or failed.',
    labelNames: ['server'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [server, count] of Object.entries(counts.snapshots)) this.inc({ server }, count);
    },
  });

  const ofDatabase = {
    name: 'freehold_database_seconds',
    help: 'How long the database took, by surface: for reads, writes and commits, and for waits of queries and transactions for a connection.',
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
    help: 'How many transactions were committed to SQLite.',
    registers: [registry],
    collect() {
      this.reset();
      this.inc(counts.sqlite.transactions);
    },
  });

  new Counter({
    name: 'freehold_sqlite_commits_total',
    help: 'How many commits to disk these transactions shared.',
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
    help: 'How many messages are in the outbox and not sent, by status.',
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
    help: 'How many webhooks fail, and how many are paused because they failed for too long.',
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
