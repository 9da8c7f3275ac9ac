import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import type { AccessDependencies } from './access.ts';

export interface ApiDependencies extends AccessDependencies {
  readonly db: Db;
  readonly config: Config;
  readonly log: Logger;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
}
