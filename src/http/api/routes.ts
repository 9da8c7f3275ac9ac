import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { HttpResponse, RequestContext, RequestHandler } from '../request-context.ts';
import { authorize, exposesKey, httpsRequired } from './access.ts';
import { accountRoute } from './account.ts';
import { create } from './create.ts';
import { customerCreation } from './create-customer.ts';
import { pageCreation } from './create-page.ts';
import { creations } from './creations.ts';
import type { ApiDependencies } from './dependencies.ts';
import { docsSurface } from './docs/routes.ts';
import { failure } from './failure.ts';
import { listPagesRoute } from './list-pages.ts';

type OperationHandler = (ctx: RequestContext, caller: KeyOwner) => HttpResponse | Promise<HttpResponse>;

/** Tells whether it is one of the operations whose fields may all be in the URL. */
export function isCreation(method: string | undefined, path: string): boolean {
  return method === 'POST' && creations.has(path);
}

/** The API's surface: everything below `/api/`. */
export function apiHandler(dependencies: ApiDependencies): RequestHandler {
  const { db, config } = dependencies;
  const listPages = listPagesRoute(db, config.cacheBytes);
  const account = accountRoute(db, config);
  const docs = docsSurface(config);

  // Maps, since the looked-up text may be anything.
  const routes = new Map<string, Map<string, OperationHandler>>();
  const route = (path: string, handlers: Record<string, OperationHandler>) =>
    routes.set(path, new Map(Object.entries(handlers)));
  route('/api/customers.json', {
    POST: (ctx, caller) => create(dependencies, ctx, caller, customerCreation),
  });
  route('/api/pages.json', {
    GET: listPages,
    HEAD: listPages,
    POST: (ctx, caller) => create(dependencies, ctx, caller, pageCreation),
  });
  route('/api/account.json', { GET: account, HEAD: account });

  return (ctx) => {
    const { path, request } = ctx;
    if (!path.startsWith('/api/')) return undefined;
    const handlers = routes.get(path);
    const handle = handlers?.get(request.method!);
    if (!handle && exposesKey(ctx, dependencies)) throw httpsRequired(ctx);
    if (!handlers) {
      return docs(ctx) ?? failure(404, `There is nothing at this path. See ${config.publicUrl}/api/docs.`);
    }
    ctx.route = path;
    if (!handle) {
      const allowed = [...handlers.keys()].join(', ');
      return failure(405, `Method not allowed here. Allowed: ${allowed}.`, ['Allow', allowed]);
    }
    return authorize(ctx, dependencies, (owner) => handle(ctx, owner));
  };
}
