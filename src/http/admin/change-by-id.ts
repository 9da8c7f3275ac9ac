import type { Trx } from '../../db/database.ts';
import type { ActingUser } from '../../users/roles.ts';
import type { HttpResponse } from '../request-context.ts';
import { emptyResponse } from './responses.ts';
import type { SignedInRequest } from './route.ts';

/** Returns a handler that applies a verb to the thing with the id in the path, and answers with 204. */
export function changeById(verb: (trx: Trx, accountId: number, id: number, by: ActingUser) => Promise<unknown>) {
  return async ({ id, sessionOwner: { accountId }, actor, change }: SignedInRequest): Promise<HttpResponse> => {
    await change((trx) => verb(trx, accountId, id, actor));
    return emptyResponse();
  };
}
