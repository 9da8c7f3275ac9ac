import { assertKeyActive } from '../../api-keys/assert-key-active.ts';
import type { ErrorLog } from '../error-log.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { answerChange } from './change.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { failureOf } from './failure.ts';
import { lazyAnswerer, MCP_PATH } from './mcp.ts';
import { findOperation } from './operations.ts';

/** Returns a function that answers large requests in the worker thread. The main thread has authorized them. */
export function largeApiAnswerer(dependencies: ChangeDependencies & { readonly log: ErrorLog }) {
  const loadAnswerer = lazyAnswerer(dependencies);
  return async (ctx: RequestContext, body: Buffer | undefined): Promise<HttpResponse> => {
    const keyOwner = ctx.keyOwner!;
    try {
      if (ctx.path === MCP_PATH) {
        const answerer = await loadAnswerer();
        return await answerer.answer(ctx, keyOwner, answerer.parse(body!));
      }
      const { operation, id } = findOperation(ctx.request.method!, ctx.path)!;
      if ('upload' in operation) throw new Error('Uploads are not answered here.');
      if (operation.method !== 'GET') return await answerChange(dependencies, ctx, keyOwner, { operation, id }, body);
      // The request may have been queued for minutes, so the key is checked again. Changes check it in their transaction.
      await assertKeyActive(dependencies.db, keyOwner.accountId, keyOwner.keyId);
      return await operation.handler(dependencies)(ctx, keyOwner, id);
    } catch (error) {
      return failureOf(error, dependencies.log, ctx);
    }
  };
}
