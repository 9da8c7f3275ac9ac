import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import type { ErrorLog } from '../error-log.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { Background } from './background.ts';
import { failureOf } from './failure.ts';
import { pageContentRoutes } from './page-content.ts';
import { pageImportRoutes } from './page-imports.ts';
import { pageRoutes } from './pages.ts';
import { pageTreeRoutes } from './pages-tree.ts';
import { parse, readRequest } from './request.ts';
import { patternOf, routeTable } from './route.ts';
import { actorOf, assertStillAdmitted, changer } from './signed-in.ts';
import { trashRoutes } from './trash.ts';
import { trashChangesRoutes } from './trash-changes.ts';

interface LargeAdminDependencies {
  readonly db: Db;
  readonly config: Config;
  readonly log: ErrorLog;
}

/** Returns the function that answers large requests in their own thread. They have been admitted before. */
export function largeAdminAnswerer({ db, config, log }: LargeAdminDependencies) {
  const dependencies = { db, config, log, background: new Background(log) };
  const all = [
    ...pageRoutes(dependencies),
    ...pageTreeRoutes(dependencies),
    ...pageContentRoutes(dependencies),
    ...pageImportRoutes(dependencies),
    ...trashRoutes(dependencies),
    ...trashChangesRoutes(dependencies),
  ];
  const table = routeTable(all.filter(({ mayRunInThread, takes }) => mayRunInThread || takes === 'archive'));

  return async (ctx: RequestContext, bytes: Buffer | undefined): Promise<HttpResponse> => {
    try {
      const sessionOwner = ctx.sessionOwner!;
      const { pattern, id } = patternOf(ctx.path);
      const method = ctx.request.method === 'HEAD' ? 'GET' : ctx.request.method!;
      const route = table.get(pattern)!.get(method)!;
      const isArchive = route.takes === 'archive';
      const request = readRequest(route, ctx, id, bytes && !isArchive ? parse(bytes, 'json') : {});
      // The request may have waited for minutes. Changes check the session once more, with the account locked.
      await assertStillAdmitted(db, sessionOwner);
      return await route.handle({
        ...request,
        ...(isArchive && bytes && { file: bytes }),
        sessionOwner,
        actor: actorOf(sessionOwner, ctx.ip),
        change: changer(db, sessionOwner),
      });
    } catch (error) {
      return failureOf(error, log, ctx);
    }
  };
}
