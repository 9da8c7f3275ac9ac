import { type DestinationStream, type Logger, pino } from 'pino';
import type { Config } from '../config.ts';
import { DatabaseOutage } from '../db/database-outage.ts';

/** Returns the logger of one process, and the destination of its lines. */
export function openLog(config: Config): { log: Logger; destination: DestinationStream & { flushSync(): void } } {
  const destination = pino.destination({ dest: 1, sync: false });
  // If the reader of our output is gone, the service keeps serving.
  destination.on('error', () => {});
  const log = pino(
    {
      level: config.logLevel,
      base: config.workers > 1 ? { pid: process.pid } : null,
      hooks: {
        logMethod(args, method) {
          if (!isKnownOutage(args[0])) method.apply(this, args);
        },
      },
      // The last three are fields in which PostgreSQL repeats values.
      redact: ['err.sql', 'err.parameters', 'err.parent', 'err.query', 'err.detail', 'err.where', 'err.internalQuery'],
    },
    destination,
  );
  return { log, destination };
}

/**
 * Returns true if the entry is about a known outage of the database. `watchDatabase` logs the beginning and the end of an
 * outage.
 */
function isKnownOutage(details: unknown): boolean {
  const isObject = typeof details === 'object' && details !== null;
  return isObject && 'err' in details && details.err instanceof DatabaseOutage && details.err.isKnown;
}
