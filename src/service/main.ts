import cluster from 'node:cluster';
import { isatty } from 'node:tty';
import { parseArgs } from 'node:util';
import { AggregatorRegistry, Registry } from 'prom-client';
import { shrinkHeap } from '../collect-garbage.js';
import { type Config, readConfig } from '../config.ts';
import type { Values } from '../config-values.ts';
import { databaseReasonOf } from '../db/damage.ts';
import { migrate } from '../db/migrate.ts';
import type { OnConnect } from '../db/new-connection.ts';
import { openDatabase } from '../db/open-database.ts';
import { completeEnvironment } from '../environment.ts';
import { AppError, reasonOf } from '../errors.ts';
import { MemoryCounter } from '../http/limits.ts';
import { commandLine } from '../program.js';
import { followTimeline } from '../tenancy/follow-timeline.ts';
import { FILES_LOST_EXIT_CODE, watchDatabase } from './database-faults.ts';
import { firstStart } from './first-start.ts';
import { askPrimary, primaryEntrance, waitForStop } from './ipc.ts';
import { portEntrance } from './listen.ts';
import { openLog } from './open-log.ts';
import { passedSockets } from './passed-sockets.ts';
import { startWorkers } from './primary.ts';
import type { Running } from './running.ts';
import { startWithBackup } from './start-with-backup.ts';

async function main(envFile: string | undefined): Promise<void> {
  // A worker inherits the environment that the primary has completed.
  const environment = cluster.isWorker ? process.env : completeEnvironment(process.env, { envFile, folder: '.' });
  const config = readConfig(environment, envFile, process.env);
  const { log, destination } = openLog(config);
  const endLost = () => {
    destination.flushSync();
    process.exit(FILES_LOST_EXIT_CODE);
  };
  const fatal = (error: unknown) => {
    log.fatal({ err: error }, 'unexpected error');
    destination.flushSync();
    process.exit(1);
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);
  const control = cluster.isWorker ? controlledByPrimary() : controlledBySignals();
  const running = await startAll({ config, environment, log, destination, endLost });
  shrinkHeap();
  const reload = reloader(running, log);
  let isStopping = false;
  control.listen({
    stop: () => {
      if (isStopping) return;
      isStopping = true;
      void running.stop().then(() => {
        destination.flushSync();
        process.exit(0);
      }, fatal);
    },
    reload: () => isStopping || reload(),
  });
  // Node ends a worker at once if its primary is gone.
}

type Log = ReturnType<typeof openLog>;

interface Listener {
  stop(): void;
  reload(): void;
}

/** Makes signals stop or reload the process. */
function controlledBySignals() {
  let reload = () => {};
  // If the terminal is closed, SIGHUP means to stop. Elsewhere it means to reload, and without a listener it would end a
  // process that is starting.
  const isInTerminal = isatty(0) || isatty(1);
  if (!isInTerminal) process.on('SIGHUP', () => reload());
  return {
    listen: (listener: Listener) => {
      process.on('SIGTERM', listener.stop);
      process.on('SIGINT', listener.stop);
      if (isInTerminal) process.on('SIGHUP', listener.stop);
      reload = listener.reload;
    },
  };
}

/**
 * Lets the primary alone stop a worker. Ctrl-C and systemd send signals to all processes, which would be too early for a
 * worker.
 */
function controlledByPrimary() {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  const control = waitForStop();
  return { listen: ({ stop }: Listener) => void control.then(stop) };
}

/**
 * Returns a function that reloads. If it is called during a reload, it reloads once more afterwards, since the files may
 * have changed again.
 */
function reloader(running: Running, log: Log['log']): () => void {
  let isReloadWanted = false;
  let isReloading = false;
  const reloadAll = async () => {
    while (isReloadWanted) {
      isReloadWanted = false;
      log.info('reloading');
      await running.reload().then(
        () => log.info('reloaded'),
        (error: unknown) => log.error({ err: error }, 'could not reload; the service continues as before'),
      );
    }
  };
  return () => {
    isReloadWanted = true;
    if (isReloading) return;
    isReloading = true;
    void reloadAll().finally(() => {
      isReloading = false;
    });
  };
}

interface StartOptions extends Log {
  readonly config: Config;
  readonly environment: Values;
  readonly endLost: () => void;
}

/** Starts a single process that does everything, or a primary with its workers. */
async function startAll({ config, environment, log, destination, endLost }: StartOptions): Promise<Running> {
  if (cluster.isWorker) {
    const ask = askPrimary();
    const registry = new Registry();
    AggregatorRegistry.setRegistries(registry);
    // Created for its side effect: a worker answers the primary's requests for metrics only if an AggregatorRegistry exists.
    new AggregatorRegistry();
    const db = await openDatabase(config, followingTimeline(log));
    watchDatabase(db, log, {
      // This fails only if the primary is gone, and then this process ends too.
      onDamage: (damage) => void ask('damage', damage).catch(() => {}),
      onFilesLost: endLost,
    });
    const serve = await loadServe();
    return serve({
      config,
      log,
      destination,
      db,
      entrance: primaryEntrance(ask),
      registry,
      counter: { take: (name, key, limit, wanted) => ask('take', { name, key, limit, wanted }) },
      metrics: () => ask('metrics', null),
      damage: async (known) => (await ask('damage', known ?? null)) ?? undefined,
      onListening: async () => {
        await ask('ready', null);
      },
    });
  }
  const sockets = passedSockets(process.env, process.pid, config.metricsPort !== 0);
  await withDatabase(config, () => migrateDatabase(config));
  const db = await withDatabase(config, () => openDatabase(config, followingTimeline(log)));
  const welcome = () => withDatabase(config, () => firstStart(db, config, (text) => process.stdout.write(text)));
  const registry = new Registry();
  if (config.workers > 1) {
    const onListening = async () => {
      await welcome();
      await db.destroy();
    };
    const start = () =>
      startWorkers({ config, environment, sockets, log, registry, onListening, onFilesLost: endLost });
    return startWithBackup({ config, log, registry, start });
  }
  watchDatabase(db, log, { onDamage: () => {}, onFilesLost: endLost });
  const metrics = () => registry.metrics();
  const counter = new MemoryCounter();
  const damage = async (known: string | undefined) => known;
  const entrance = portEntrance(config, sockets);
  const serve = await loadServe();
  const start = () =>
    serve({ config, log, destination, db, entrance, registry, counter, metrics, damage, onListening: welcome });
  return startWithBackup({ config, log, registry, start });
}

/** Loads what only a process that serves requests needs, which is most of the code: a primary starts faster without it. */
async function loadServe() {
  return (await import('./serve.ts')).serve;
}

/** Checks on each new connection whether the database was promoted or recovered, and logs it. */
function followingTimeline(log: Log['log']): OnConnect {
  return async (connection) => {
    if (await followTimeline(connection)) log.warn(TIMELINE_CHANGED);
  };
}

const TIMELINE_CHANGED =
  'the database is on another server or timeline than before: a standby server was promoted, or it was recovered. The versions of all ' +
  'accounts were raised, so that no earlier answer counts as current. After a recovery to an earlier moment, run the command recovered';

/** Migrates the database without a timeout, since migrations may take long. */
async function migrateDatabase(config: Config): Promise<void> {
  const db = await openDatabase({ ...config, databaseReplicaUrl: '', databaseTimeoutMs: 0 });
  try {
    await migrate(db);
  } finally {
    await db.destroy();
  }
}

/** Runs the work. If it fails, the error names the setting to check. */
function withDatabase<T>(config: Config, work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    if (error instanceof AppError) throw error;
    const where = config.databaseUrl ? 'The database of DATABASE_URL' : `The database in DATA_DIR (${config.dataDir})`;
    throw new AppError('unavailable', `${where} cannot be used: ${databaseReasonOf(error)}.`, { cause: error });
  });
}

/**
 * Starts the service with the settings from the environment and from the file of `--env-file` or `freehold.env`. If that
 * fails, prints why and exits with 1, or with 2 if there are other arguments.
 */
export async function run(): Promise<void> {
  const envFile = fileOfArguments();
  try {
    await main(envFile);
  } catch (error) {
    // A wrong setting or a port in use is for the operator to fix: print a sentence, not a stack trace.
    process.stderr.write(
      `${error instanceof AppError ? error.message : `Freehold cannot start: ${databaseReasonOf(error)}`}\n`,
    );
    process.exit(1);
  }
}

function fileOfArguments(): string | undefined {
  try {
    return parseArgs({ options: { 'env-file': { type: 'string' } } }).values['env-file'];
  } catch (error) {
    process.stderr.write(
      `${reasonOf(error).split('. ')[0]}. The only argument of the service is --env-file FILE.\n` +
        `Commands are run by ${commandLine} COMMAND; ${commandLine} --help lists them.\n`,
    );
    process.exit(2);
  }
}
