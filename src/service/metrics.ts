import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { Counter, collectDefaultMetrics, Gauge, type Registry } from 'prom-client';
import type { Db } from '../db/database.ts';
import { faultsOf } from '../db/faults.ts';
import type { RejectedRequest } from '../http/rejected-request.ts';
import type { RequestContext } from '../http/request-context.ts';
import { RequestTimes } from './request-times.ts';

/** Registers this process's metrics; returns the callbacks for responses and for rejected requests. */
export function measure(registry: Registry, db: Db) {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });

  const times = new RequestTimes(registry);
  new Gauge({
    name: 'freehold_outbox_messages',
    help: 'How many messages are in the outbox and not sent, by status.',
    labelNames: ['status'],
    registers: [registry],
    // All processes see the same database.
    aggregator: 'first',
    async collect() {
      this.reset();
      // The other metrics matter most when the database cannot be reached.
      const rows = await countOutbox(db).catch(() => undefined);
      if (!rows) return;
      for (const { status, count } of rows) this.set({ status }, Number(count));
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

  const refusals = new Counter({
    name: 'freehold_http_refusals_total',
    help: 'How many answers there were to what could not be read as a request, by status.',
    labelNames: ['status'],
    registers: [registry],
  });

  return {
    answered: ({ route, request }: RequestContext, { statusCode }: ServerResponse, milliseconds: number): void => {
      // Paths that are no route's are counted together: anyone can make up any number of them.
      times.observe(route || 'none', route ? request.method! : 'any', statusCode, milliseconds);
    },
    refused: ({ status }: RejectedRequest): void => refusals.inc({ status }),
  };
}

/** Each status is counted in its own index, and only if it is written out: what was sent may be a hundred times as much. */
function countOutbox(db: Db) {
  const count = (status: 'queued' | 'failed') =>
    db
      .selectFrom('outbox')
      .select((e) => [sql.lit(status).as('status'), e.fn.countAll<number>().as('count')])
      .where('status', '=', sql.lit(status));
  return count('queued').unionAll(count('failed')).execute();
}
