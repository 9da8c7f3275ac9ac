import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import type { ImageMaker } from '../../media/image-maker.ts';
import type { MediaStore } from '../../media/store.ts';
import type { PreviewSite } from '../../sites/preview.ts';
import type { ArchiveImports } from '../archive-imports.ts';
import type { LargeRequests } from '../large-requests.ts';
import type { Counter, RateLimit } from '../limits.ts';
import type { SessionCookie } from '../session-cookie.ts';
import type { Background } from './background.ts';

export interface AdminDependencies {
  readonly db: Db;
  readonly config: Config;
  readonly log: Logger;
  /** The request counter that all processes of the service share. */
  readonly counter: Counter;
  readonly store: MediaStore;
  /** Returns the image maker that all surfaces share. */
  readonly imageMaker: () => Promise<ImageMaker>;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
  /** Called after a transaction that started an import. */
  readonly onImportStarted: () => void;
  /** Renders previews. Passed in, because only the sites' code can do that. */
  readonly previewSite: PreviewSite;
  readonly largeRequests: Pick<LargeRequests, 'answer' | 'parse'>;
  /** A separate thread for changes of many pages, so that large requests of other accounts do not wait for them. */
  readonly longChanges: Pick<LargeRequests, 'answer'>;
  /** Separate threads for imports of pages from files, whose images take long. */
  readonly archives: ArchiveImports;
}

/** The dependencies of routes: dependencies of the surface, and objects that the routes share. */
export interface RouteDependencies extends Omit<AdminDependencies, 'largeRequests' | 'longChanges' | 'archives'> {
  readonly cookie: SessionCookie;
  readonly background: Background;
  /** The limit of costly anonymous requests per network. */
  readonly challengeLimit: RateLimit;
}
