import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import type { ImageMaker } from '../../media/image-maker.ts';
import type { MediaStore } from '../../media/store.ts';
import type { ArchiveImports } from '../archive-imports.ts';
import type { AnswerInThread } from '../large-requests.ts';
import type { AccessDependencies } from './access.ts';

/** The dependencies of a change after the request has been authorized. */
export interface ChangeDependencies {
  readonly db: Db;
  readonly config: Config;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
}

export interface UploadDependencies extends ChangeDependencies {
  readonly store: MediaStore;
  /** Returns the image maker that all parts of the service share. */
  readonly imageMaker: () => Promise<ImageMaker>;
}

export interface ApiDependencies extends AccessDependencies, UploadDependencies {
  readonly answerInThread: AnswerInThread;
  /** Answers a change of many pages in its own thread. In the main thread it throws ChangeTooLong. */
  readonly answerLongChange: AnswerInThread;
  /** Imports archives, which takes long if they have images. */
  readonly archives: ArchiveImports;
}
