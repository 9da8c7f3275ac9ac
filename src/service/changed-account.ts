import type { RequestContext } from '../http/request-context.ts';

/** Returns the account on whose behalf a request may have changed data; undefined if it changed nothing. */
export function changedAccount(
  { request, caller, person }: Pick<RequestContext, 'request' | 'caller' | 'person'>,
  status: number,
): number | undefined {
  if (status >= 400 || request.method === 'GET' || request.method === 'HEAD') return undefined;
  return caller?.accountId ?? person?.accountId;
}
