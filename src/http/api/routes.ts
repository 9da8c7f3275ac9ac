import { countForAccount } from '../../db/connection-turns.ts';
import type { RequestHandler } from '../request-context.ts';
import { assertScope, authorize, exposesKey, httpsRequired } from './access.ts';
import { change } from './change.ts';
import type { ApiDependencies } from './dependencies.ts';
import { docsSurface } from './docs/routes.ts';
import { failure } from './failure.ts';
import { MCP_PATH, mcpHandler } from './mcp.ts';
import { oauthHandler } from './oauth/routes.ts';
import type { Operation, OperationHandler } from './operation.ts';
import { findOperation, findPath, findSimilarPath, lacksId, operations } from './operations.ts';
import { read } from './read.ts';

/** Returns whether the request is a creation, which may have all of its fields in the URL. */
export function isCreation(method: string | undefined, path: string): boolean {
  if (method !== 'POST') return false;
  const found = findOperation(method, path);
  return found !== undefined && found.id === '' && !('upload' in found.operation) && !('document' in found.operation);
}

function handlerOf(dependencies: ApiDependencies, operation: Operation): OperationHandler {
  if ('upload' in operation) return operation.handler(dependencies);
  if (operation.method === 'GET') return read(dependencies, operation);
  return (ctx, keyOwner, id) => change(dependencies, ctx, keyOwner, { operation, id });
}

function adviceFor(unknownPath: string, publicUrl: string): string {
  const similar = findSimilarPath(unknownPath);
  if (similar) return `Did you mean ${similar}?`;
  if (lacksId(unknownPath)) return 'It needs an id, such as account_12 or page_12.';
  return `See ${publicUrl}/api/docs.`;
}

/** Returns the handler of the API: everything below `/api/`, the MCP endpoint, and OAuth. */
export function apiHandler(dependencies: ApiDependencies): RequestHandler {
  const { config } = dependencies;
  const docs = docsSurface(config);
  const mcp = mcpHandler(dependencies);
  const oauth = oauthHandler(dependencies);
  const handlers = new Map<Operation, OperationHandler>(
    operations.map((operation) => [operation, handlerOf(dependencies, operation)]),
  );

  return (ctx) => {
    const { path, request } = ctx;
    if (path === MCP_PATH) return mcp(ctx);
    if (!path.startsWith('/api/')) return oauth(ctx);
    const found = findPath(path);
    const operation = found?.methods.get(request.method!);
    if (!operation && exposesKey(ctx, dependencies)) throw httpsRequired(ctx);
    if (!found) {
      return docs(ctx) ?? failure(404, `There is nothing at this path. ${adviceFor(path, config.publicUrl)}`);
    }
    ctx.route = found.path;
    if (!operation) {
      const allowed = [...found.methods.keys()].sort().join(', ');
      return failure(405, `Method not allowed here. Allowed: ${allowed}.`, ['Allow', allowed]);
    }
    const handle = handlers.get(operation)!;
    return authorize(ctx, dependencies, (owner) => {
      assertScope(owner, operation.scope);
      countForAccount(owner.accountId);
      return handle(ctx, owner, found.id);
    });
  };
}
