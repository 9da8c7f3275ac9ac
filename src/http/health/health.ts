import { sql } from 'kysely';
import type { Db } from '../../db/database.ts';
import { isLocal } from '../client.ts';
import { byteString, type HttpResponse, type RequestHandler } from '../request-context.ts';

/** The state of the service. It accepts new work only while it is serving. */
export type ServiceState = 'starting' | 'serving' | 'stopping';

interface HealthDependencies {
  readonly db: Db;
  /** The metrics of all processes in Prometheus' text format. */
  readonly metrics: () => Promise<string>;
  /** Returns the database damage that any process of the service has found, or undefined. */
  readonly damage: () => Promise<string | undefined>;
  readonly stateOf: () => ServiceState;
  /** True if only callers on this machine are answered. */
  readonly loopbackOnly: boolean;
}

/**
 * Returns the handler of `/healthz` (the process is alive), `/readyz` (it can serve requests) and `/metrics`. None of them is
 * public: on the public port, only direct requests from this machine are answered, not those that come through a proxy on it.
 */
export function healthHandler(dependencies: HealthDependencies): RequestHandler {
  const { db, metrics, damage, stateOf, loopbackOnly } = dependencies;
  const routes: Record<string, () => HttpResponse | Promise<HttpResponse>> = {
    '/healthz': () => text(200, 'ok\n'),
    '/readyz': async () => {
      const state = stateOf();
      if (state !== 'serving') return text(503, `${state}\n`);
      const reachable = await sql`select 1`.execute(db).then(
        () => true,
        () => false,
      );
      // Asked after the query, which may find damage. It fails only while the primary process ends, which ends this one too.
      const damaged = await damage().catch(() => undefined);
      if (damaged !== undefined) return text(503, `the database reports damage: ${damaged}; run doctor\n`);
      return reachable ? text(200, 'ready\n') : text(503, 'the database cannot be reached\n');
    },
    '/metrics': () =>
      metrics().then(
        (lines) => text(200, lines, 'text/plain; version=0.0.4; charset=utf-8'),
        // One of several processes may be starting or ending.
        () => text(503, 'the metrics could not be collected\n'),
      ),
  };

  return (ctx) => {
    const { path, request } = ctx;
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (!route || (loopbackOnly && !isLocal(ctx))) return undefined;
    ctx.route = path;
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return text(405, 'Method not allowed.\n', undefined, ['Allow', 'GET, HEAD']);
    }
    return route();
  };
}

function text(
  status: number,
  content: string,
  type = 'text/plain; charset=utf-8',
  more: readonly string[] = [],
): HttpResponse {
  const body = byteString(content);
  const length = String(body.length);
  return {
    status,
    headers: ['Content-Type', type, 'Content-Length', length, 'Cache-Control', 'no-store', ...more],
    body,
  };
}
