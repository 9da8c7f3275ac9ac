import type { RequestContext } from '../http/request-context.ts';

/** Returns the account on whose behalf a request may have changed data; undefined if it changed nothing. */
export function changedAccount(
  { request, keyOwner, sessionOwner }: Pick<RequestContext, 'request' | 'keyOwner' | 'sessionOwner'>,
  status: number,
): number | undefined {
  if (status >= 400 || request.method === 'GET' || request.method === 'HEAD') return undefined;
  return keyOwner?.accountId ?? sessionOwner?.accountId;
}
