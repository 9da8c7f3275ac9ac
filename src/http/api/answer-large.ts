import type { ErrorLog } from '../error-log.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import { answerCreation } from './create.ts';
import type { CreationDependencies } from './dependencies.ts';
import { failureOf } from './failure.ts';
import { findCreation } from './operations.ts';

/** Returns what answers large creations in their thread: they have been admitted. */
export function largeApiAnswerer(dependencies: CreationDependencies & { readonly log: ErrorLog }) {
  return async (ctx: RequestContext, body: Buffer | undefined): Promise<HttpResponse> => {
    const caller = ctx.caller!;
    try {
      return await answerCreation(dependencies, ctx, caller, findCreation(ctx.path)!, body);
    } catch (error) {
      return failureOf(error, dependencies.log, ctx);
    }
  };
}
