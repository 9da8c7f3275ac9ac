import type { Logger } from 'pino';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import type { Config } from '../../config.ts';
import { isUnavailable } from '../../db/constraint.ts';
import type { Db } from '../../db/database.ts';
import { AppError, type ErrorCode } from '../../errors.ts';
import type { Answer, Exchange, Surface } from '../exchange.ts';
import { json } from '../json.ts';
import { type AccessDependencies, authorize } from './access.ts';
import { accountRoute } from './account.ts';
import { createCustomerRoute } from './create-customer.ts';
import { createPageRoute } from './create-page.ts';
import { docsSurface } from './docs/routes.ts';
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
    if (!route) return docs(exchange) ?? failure(404, 'Not found.');
    exchange.route = path;
    const handle = Object.hasOwn(route, request.method!) ? route[request.method!] : undefined;
    if (!handle) {
      return failure(405, 'Method not allowed.', ['Allow', Object.keys(route).join(', ')]);
    }
    return authorize(exchange, dependencies, (owner) => handle(exchange, owner));
  };
}

/** A failure in the interface's form. */
export function failure(status: number, errors: string, headers: readonly string[] = []): Answer {
  return json(status, { response: false, errors }, headers);
}

const statuses: Record<ErrorCode, number> = {
  malformed: 400,
  invalid: 422,
  unauthorized: 401,
  suspended: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 422,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

/** The answer to whatever a surface threw. */
export function failureOf(error: unknown, log: Logger, exchange: Exchange): Answer {
  if (error instanceof AppError) {
    const headers = error.code === 'unauthorized' ? ['WWW-Authenticate', 'Bearer realm="Freehold"'] : [];
    return failure(statuses[error.code], error.message, headers);
  }
  log.error({ requestId: exchange.id, err: error }, 'request failed');
  if (isUnavailable(error)) {
    return failure(503, 'The service cannot do this at the moment. Nothing was changed; try again.', [
      'Retry-After',
      '5',
    ]);
  }
  return failure(500, 'Something went wrong on our side.');
}
