import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Answer, Exchange, Surface } from '../exchange.ts';
import { authorize, betraysKey, httpsRequired } from './access.ts';
import { accountRoute } from './account.ts';
import { createCustomerRoute } from './create-customer.ts';
import { createPageRoute } from './create-page.ts';
import type { ApiDependencies } from './dependencies.ts';
import { docsSurface } from './docs/routes.ts';
import { failure } from './failure.ts';
import { listPagesRoute } from './list-pages.ts';

type Handler = (exchange: Exchange, caller: KeyOwner) => Answer | Promise<Answer>;

/** Tells whether it is one of the operations whose fields may all be in the URL. */
export function isCreation(method: string | undefined, path: string): boolean {
  return method === 'POST' && (path === '/api/pages.json' || path === '/api/customers.json');
}

/** The API's surface: everything below `/api/`. */
export function apiSurface(dependencies: ApiDependencies): Surface {
  const { db, config } = dependencies;
  const listPages = listPagesRoute(db, config.cacheBytes);
  const account = accountRoute(db, config);
  const docs = docsSurface(config);

  // Maps, since what they are asked for may be any text.
  const routes = new Map<string, Map<string, Handler>>();
  const route = (path: string, handlers: Record<string, Handler>) =>
    routes.set(path, new Map(Object.entries(handlers)));
  route('/api/customers.json', {
    POST: (exchange, caller) => createCustomerRoute(dependencies, exchange, caller),
  });
  route('/api/pages.json', {
    GET: listPages,
    HEAD: listPages,
    POST: (exchange, caller) => createPageRoute(dependencies, exchange, caller),
  });
  route('/api/account.json', { GET: account, HEAD: account });

  return (exchange) => {
    const { path, request } = exchange;
    if (!path.startsWith('/api/')) return undefined;
    const handlers = routes.get(path);
    const handle = handlers?.get(request.method!);
    if (!handle && betraysKey(exchange, dependencies)) throw httpsRequired(exchange);
    if (!handlers) {
      return docs(exchange) ?? failure(404, `There is nothing at this path. See ${config.publicUrl}/api/docs.`);
    }
    exchange.route = path;
    if (!handle) {
      const allowed = [...handlers.keys()].join(', ');
      return failure(405, `Method not allowed here. Allowed: ${allowed}.`, ['Allow', allowed]);
    }
    return authorize(exchange, dependencies, (owner) => handle(exchange, owner));
  };
}
