import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import type { AnswerElsewhere } from '../large-requests.ts';
import type { AccessDependencies } from './access.ts';

/** The dependencies of a creation once the request is admitted. */
export interface CreationDependencies {
  readonly db: Db;
  readonly config: Config;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
}

export interface ApiDependencies extends AccessDependencies, CreationDependencies {
  readonly answerInThread: AnswerElsewhere;
}
