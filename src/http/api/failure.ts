import { isUnavailable } from '../../db/constraint.ts';
import { DatabaseOutage } from '../../db/database-outage.ts';
import { AppError, type ErrorCode, RateLimited } from '../../errors.ts';
import { messageInEnglish } from '../../refusal-words.ts';
import type { ErrorLog } from '../error-log.ts';
import { json } from '../json.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';

/** Returns a failure in the API's format. */
export function failure(status: number, errors: unknown, headers: readonly string[] = []): HttpResponse {
  return json(status, { response: false, errors }, headers);
}

const statuses: Record<ErrorCode, number> = {
  malformed: 400,
  invalid: 422,
  unauthorized: 401,
  suspended: 403,
  forbidden: 403,
  not_found: 404,
  conflict: 422,
  outdated: 412,
  gone: 410,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
};

const headersOf: Partial<Record<ErrorCode, readonly string[]>> = {
  unauthorized: ['WWW-Authenticate', 'Bearer realm="API"'],
  unavailable: ['Retry-After', '1'],
};

/** Returns the response to an error that the handler threw. */
export function failureOf(error: unknown, log: ErrorLog, ctx: RequestContext): HttpResponse {
  if (error instanceof DatabaseOutage) {
    log.error({ requestId: ctx.id, err: error }, 'request failed');
    return failure(503, error.message, ['Retry-After', '5']);
  }
  if (error instanceof AppError) {
    const headers = error instanceof RateLimited ? ['Retry-After', String(error.retryAfter)] : headersOf[error.code];
    return failure(statuses[error.code], messageInEnglish(error), headers);
  }
  log.error({ requestId: ctx.id, err: error }, 'request failed');
  if (isUnavailable(error)) {
    return failure(503, 'The service cannot do this at the moment. Try again.', ['Retry-After', '5']);
  }
  return failure(500, 'Something went wrong on our side.');
}
