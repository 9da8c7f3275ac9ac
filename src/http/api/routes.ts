import type { Logger } from 'pino';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Config } from '../../config.ts';
import type { Db } from '../../db/database.ts';
import type { Answer, Exchange, Surface } from '../exchange.ts';
import { type AccessDependencies, authorize, betraysKey, httpsRequired } from './access.ts';
import { accountRoute } from './account.ts';
import { createCustomerRoute } from './create-customer.ts';
import { createPageRoute } from './create-page.ts';
import { docsSurface } from './docs/routes.ts';
import { failure } from './failure.ts';
import { listPagesRoute } from './list-pages.ts';

export interface ApiDependencies extends AccessDependencies {
  readonly db: Db;
  readonly config: Config;
  readonly log: Logger;
  /** Called after a transaction that queued mail. */
  readonly onMailQueued: () => void;
}

type Handler = (exchange: Exchange, caller: KeyOwner) => Answer | Promise<Answer>;

/** The API's surface: everything below `/api/`. */
export function apiSurface(dependencies: ApiDependencies): Surface {
  const { db, config } = dependencies;
  const listPages = listPagesRoute(db, config.cacheBytes);
  const account = accountRoute(db, config);
  const docs = docsSurface(config);

  const routes: Record<string, Record<string, Handler>> = {
    '/api/customers.json': {
      POST: (exchange, caller) => createCustomerRoute(dependencies, exchange, caller),
    },
    '/api/pages.json': {
      GET: listPages,
      HEAD: listPages,
      POST: (exchange, caller) => createPageRoute(dependencies, exchange, caller),
    },
    '/api/account.json': {
      GET: account,
      HEAD: account,
    },
  };

  return (exchange) => {
    const { path, request } = exchange;
    if (!path.startsWith('/api/')) return undefined;
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    const handle = route && Object.hasOwn(route, request.method!) ? route[request.method!] : undefined;
    if (!handle && betraysKey(exchange, dependencies)) throw httpsRequired();
    if (!route) return docs(exchange) ?? failure(404, 'Not found.');
    exchange.route = path;
    if (!handle) {
      return failure(405, 'Method not allowed.', ['Allow', Object.keys(route).join(', ')]);
    }
    return authorize(exchange, dependencies, (owner) => handle(exchange, owner));
  };
}
