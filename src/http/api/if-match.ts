import { AppError } from '../../errors.ts';
import type { RequestContext } from '../request-context.ts';

/**
 * Returns the version in the `ETag` that the client has seen, or undefined without `If-Match` or with `*`.
 * @throws AppError `invalid`
 */
export function readIfMatch({ request }: RequestContext, what: 'page' | 'draft'): number | undefined {
  const text = request.headers['if-match']?.trim();
  if (text === undefined || text === '*') return undefined;
  const version = /^(?:W\/)?"(\d{1,15})-[\w-]+"$/.exec(text)?.[1];
  if (version === undefined) throw new AppError('invalid', `If-Match must be the ETag of the ${what}.`);
  return Number(version);
}
