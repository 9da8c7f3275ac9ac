import type { RequestContext } from '../http/request-context.ts';

/** Returns the account in whose name a request was answered that may have changed something; undefined for none. */
export function changedAccount(
  { request, caller, person }: Pick<RequestContext, 'request' | 'caller' | 'person'>,
  status: number,
): number | undefined {
  if (status >= 400 || request.method === 'GET' || request.method === 'HEAD') return undefined;
  return caller?.accountId ?? person?.accountId;
}
