import type { Logger } from 'pino';
import { DAMAGED_FILE_ADVICE, databaseReasonOf } from '../db/damage.ts';
import type { Db } from '../db/database.ts';
import { faultsOf } from '../db/faults.ts';
import { replicaOf } from '../db/replica.ts';

/** The exit code of a process that ended because the database's files were moved, removed or replaced. */
export const FILES_LOST_EXIT_CODE = 3;

/** How often the service checks that the files are in place. Every commit checks too. */
const CHECK_INTERVAL_MS = 1000;

interface Alarms {
  readonly onDamage: (damage: string) => void;
  /** Ends the process at once, before any further change is acknowledged. */
  readonly onFilesLost: () => void;
}

/** Logs damage of the database, the loss of its files, and outages of the database and its replica, and raises alarms. */
export function watchDatabase(
  db: Db,
  log: Pick<Logger, 'info' | 'warn' | 'error' | 'fatal'>,
  { onDamage, onFilesLost }: Alarms,
): void {
  const faults = faultsOf(db);
  faults.onChange = () => {
    if (faults.lost !== undefined) {
      log.fatal({ reason: faults.lost }, FILES_LOST_ADVICE);
      onFilesLost();
    } else if (faults.damage !== undefined) {
      log.error({ reason: faults.damage }, DAMAGE_ADVICE);
      onDamage(faults.damage);
    }
  };
  faults.onOutage = () => {
    if (faults.outage === undefined) log.info('the database answers again');
    else log.error(faults.outage === 'silent' ? SILENT : NO_COMMITS);
  };
  const replica = replicaOf(db);
  if (replica) {
    replica.onChange = (reason) => {
      if (reason === undefined) log.info('the replica answers again');
      else log.warn({ reason: databaseReasonOf(reason) }, NO_REPLICA);
    };
  }
  setInterval(faults.checkFiles, CHECK_INTERVAL_MS).unref();
}

const FILES_LOST_ADVICE =
  'the database files were moved, removed or replaced while the service was running; it stops, and has acknowledged nothing ' +
  'since then. Put freehold.db, freehold.db-wal and freehold.db-shm back together, or restore a backup into an empty folder, ' +
  'and start again. Stop the service before touching them';

const SILENT =
  'the database does not answer: all connections are closed, and requests are refused until it does. Check its host, its ' +
  'process and the network';

const NO_REPLICA = 'the replica of DATABASE_REPLICA_URL cannot be read from: the primary answers instead';

const NO_COMMITS =
  'the database answers, but confirms no changes: they are refused until it does. With synchronous_standby_names, check ' +
  'the standby servers';

const DAMAGE_ADVICE =
  'the database reports damage; /readyz says so until the service is started again. Run doctor, which lists what is ' +
  `damaged. With SQLite: stop the service, ${DAMAGED_FILE_ADVICE}. With PostgreSQL: check its log and its disks, and restore`;
