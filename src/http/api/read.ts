import { holderFinder } from '../../tenancy/holder.ts';
import { isLarge, queueLarge } from '../body.ts';
import type { ApiDependencies } from './dependencies.ts';
import type { OperationHandler, ReadOperation } from './operation.ts';

/** Returns the handler of a read operation. If the texts that it reads are large, another thread answers. */
export function read(dependencies: ApiDependencies, operation: ReadOperation): OperationHandler {
  const { db, answerInThread } = dependencies;
  const handle = operation.handler(dependencies);
  const { countTexts } = operation;
  if (!countTexts) return handle;
  return async (ctx, keyOwner, id) => {
    const bytes = await countTexts(db, keyOwner, id);
    return isLarge(bytes)
      ? queueLarge(holderFinder(db, keyOwner.accountId), () => answerInThread('api', ctx, undefined))
      : handle(ctx, keyOwner, id);
  };
}
