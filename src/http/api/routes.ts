import { takeTurnsAs } from '../../db/connection-turns.ts';
import type { RequestHandler } from '../request-context.ts';
import { authorize, exposesKey, httpsRequired } from './access.ts';
import { create } from './create.ts';
import type { ApiDependencies } from './dependencies.ts';
import { docsSurface } from './docs/routes.ts';
import { failure } from './failure.ts';
import type { OperationHandler } from './operation.ts';
import { findCreation, operations } from './operations.ts';

/** Tells whether it is one of the operations whose fields may all be in the URL. */
export function isCreation(method: string | undefined, path: string): boolean {
  return method === 'POST' && findCreation(path) !== undefined;
}

/** The API's surface: everything below `/api/`. */
export function apiHandler(dependencies: ApiDependencies): RequestHandler {
  const { config } = dependencies;
  const docs = docsSurface(config);

  // Maps, since the looked-up text may be anything.
  const routes = new Map<string, Map<string, OperationHandler>>();
  for (const operation of operations) {
    const handlers = routes.getOrInsertComputed(operation.path, () => new Map());
    if (operation.method === 'POST') {
      handlers.set('POST', (ctx, caller) => create(dependencies, ctx, caller, operation));
    } else {
      const handle = operation.handler(dependencies);
      handlers.set('GET', handle).set('HEAD', handle);
    }
  }

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
      const allowed = [...handlers.keys()].sort().join(', ');
      return failure(405, `Method not allowed here. Allowed: ${allowed}.`, ['Allow', allowed]);
    }
    return authorize(ctx, dependencies, (owner) => takeTurnsAs(owner.accountId, () => handle(ctx, owner)));
  };
}
