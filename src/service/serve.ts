import type { DestinationStream, Logger } from 'pino';
import type { Registry } from 'prom-client';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { faultsOf } from '../db/faults.ts';
import { AccessLog } from '../http/access-log.ts';
import type { Counter } from '../http/limits.ts';
import { openTransport } from '../mail/open-transport.ts';
import { OutboxWorker } from '../mail/outbox-worker.ts';
import { openMediaStore } from '../media/open-store.ts';
import { spans } from '../spans.ts';
import { startBackgroundWork } from './background-work.ts';
import { changedAccount } from './changed-account.ts';
import { configWarnings } from './config-warnings.ts';
import { Connections } from './connections.ts';
import { DatabaseCounter } from './database-counter.ts';
import { keepTicksQuick } from './keep-ticks-quick.ts';
import type { Entrance } from './listen.ts';
import { startMaintenance } from './maintenance.ts';
import { measure } from './metrics.ts';
import { requestSpan } from './request-span.ts';
import type { Running } from './running.ts';
import { startWebhooks, type Webhooks } from './webhooks.ts';

interface ServeOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly destination: DestinationStream;
  readonly db: Db;
  readonly entrance: Entrance;
  readonly registry: Registry;
  readonly counter: Counter;
  /** Returns the metrics of all processes. */
  readonly metrics: () => Promise<string>;
  /** Returns the damage of the database that any process has found, given what this process has found. */
  readonly damage: (known: string | undefined) => Promise<string | undefined>;
  /** Resolves when connections may be accepted, before anything is logged. If it rejects, the start fails. */
  readonly onListening: () => Promise<void>;
}

/** Serves until stopped: runs the HTTP surfaces, the mail worker and maintenance of one process. */
export async function serve(options: ServeOptions): Promise<Running> {
  const { config, log, destination, db, entrance, registry, counter, metrics, damage, onListening } = options;
  keepTicksQuick();
  const accessLog = new AccessLog(destination, config.workers > 1 ? process.pid : undefined);
  const measured = measure(registry, db, config.dataDir);
  const exporter = await spanExporter(config, log);
  const transport = openTransport(config);
  const store = openMediaStore(config);
  const mail = new OutboxWorker(db, transport, log);
  // Requests may be answered before these start. They find waiting work themselves when they do.
  let work: ReturnType<typeof startBackgroundWork> | undefined;
  let webhooks: Webhooks | undefined;
  const app = buildApp({
    config,
    db,
    log,
    // Only one machine can use SQLite, so its counter needs no database.
    counter: config.databaseUrl ? new DatabaseCounter(db, counter) : counter,
    metrics,
    damage: () => damage(faultsOf(db).damage),
    onMailQueued: () => mail.nudge(),
    onImportStarted: () => work?.nudgeImports(),
    onAnswered: (ctx, response, milliseconds) => {
      measured.answered(ctx, response, milliseconds);
      const changed = changedAccount(ctx, response.statusCode);
      if (changed !== undefined) webhooks?.nudge(changed);
      if (ctx.trace.isSampled) spans.record?.(requestSpan(ctx, response.statusCode, milliseconds));
      if (log.isLevelEnabled('info')) accessLog.log(ctx, response, milliseconds);
    },
    onRefused: (refusal) => {
      measured.refused(refusal);
      if (log.isLevelEnabled('info')) accessLog.logRejected(refusal);
    },
  });
  const servers = app.health ? [app.server, app.health] : [app.server];
  const connections = servers.map((server) => new Connections(server));
  await entrance.open(
    new Map([['service', app.server] as const, ...(app.health ? [['metrics', app.health] as const] : [])]),
  );
  // Runs before anything is logged, since its welcome text should not appear among log lines.
  await onListening();
  work = startBackgroundWork({ db, store, config, log, onMailQueued: () => mail.nudge() });
  webhooks = startWebhooks({ db, config, log, onMailQueued: () => mail.nudge() });
  app.startServing();
  mail.start();
  const housekeeping = startMaintenance({ db, store, dataDir: config.dataDir, log });
  for (const warning of configWarnings(config)) log.warn(warning);
  log.info(
    { port: config.port, url: config.publicUrl, database: config.databaseUrl ? 'PostgreSQL' : 'SQLite' },
    'serving',
  );

  const stop = async () => {
    log.info('stopping: finishing accepted requests');
    app.stopServing();
    clearInterval(housekeeping);
    await entrance.close();
    await Promise.all(connections.map((own) => own.finish(config.stopTimeoutMs)));
    await work?.stop();
    await webhooks?.stop();
    await mail.stop();
    await transport.close();
    await app.close().catch((error: unknown) => log.warn({ err: error }, 'could not record when keys were last used'));
    await db.destroy();
    spans.record = undefined;
    await exporter?.stop();
    accessLog.flush();
    log.info('stopped');
  };
  return { stop, reload: async () => app.reloadCertificate() };
}

/** Starts recording spans if a collector is configured. */
async function spanExporter({ otlpEndpoint: endpoint, otlpHeaders: headers, otelServiceName }: Config, log: Logger) {
  if (!endpoint) return undefined;
  const { SpanExporter } = await import('./span-exporter.ts');
  const exporter = new SpanExporter({ endpoint, headers, serviceName: otelServiceName, log });
  spans.record = exporter.record;
  return exporter;
}
