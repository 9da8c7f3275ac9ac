import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import type { AnswerElsewhere } from '../large-requests.ts';
import type { AccessDependencies } from './access.ts';

/** The dependencies of a change once the request is admitted. */
export interface ChangeDependencies {
  readonly db: Db;
  readonly config: Config;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
}

export interface ApiDependencies extends AccessDependencies, ChangeDependencies {
  readonly answerInThread: AnswerElsewhere;
  /** Answers a change of many pages, which throws ChangeTooLong elsewhere. */
  readonly answerLongChange: AnswerElsewhere;
}
