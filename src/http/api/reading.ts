import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { Content, etagOf } from '../content.ts';
import { jsonHeaders } from '../json.ts';
import type { RequestContext } from '../request-context.ts';
import type { ChangeDependencies } from './dependencies.ts';
import type { OperationHandler } from './operation.ts';

interface ReadRequest {
  readonly keyOwner: KeyOwner;
  readonly ctx: RequestContext;
  readonly dependencies: ChangeDependencies;
  /** See `OperationHandler`. */
  readonly id: string;
}

/** Returns a handler that answers with the result of `read`, as JSON with an ETag. */
export function reading(read: (request: ReadRequest) => Promise<object>) {
  return (dependencies: ChangeDependencies): OperationHandler =>
    async (ctx, keyOwner, id) => {
      const bytes = Buffer.from(JSON.stringify(await read({ keyOwner, ctx, dependencies, id })));
      return new Content(bytes, jsonHeaders, etagOf(bytes)).answer(ctx);
    };
}
