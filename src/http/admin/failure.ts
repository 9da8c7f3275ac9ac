import { isUnavailable } from '../../db/constraint.ts';
import { DatabaseOutage } from '../../db/database-outage.ts';
import { AppError, type ErrorCode, RateLimited, ValidationError } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import { SecondFactorNeeded } from '../../users/second-factor.ts';
import type { ErrorLog } from '../error-log.ts';
import type { HttpResponse, RequestContext } from '../request-context.ts';
import type { AdminErrorCode, ErrorJson } from './contract.ts';
import { IfMatchNeeded } from './page-request.ts';
import { jsonResponse } from './responses.ts';

/** Returns an error response with the body that the admin app expects. */
export function failure(
  status: number,
  code: AdminErrorCode,
  message: string,
  { headers = [], ...details }: { headers?: readonly string[] } & Pick<ErrorJson['error'], 'fields' | 'why'> = {},
): HttpResponse {
  const body: ErrorJson = { error: { code, message, ...details } };
  return jsonResponse(status, body, headers);
}

const statuses: Record<ErrorCode, number> = {
  malformed: 400,
  unauthorized: 401,
  suspended: 403,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  gone: 410,
  outdated: 412,
  too_large: 413,
  invalid: 422,
  rate_limited: 429,
  unavailable: 503,
};

/** The default Retry-After of errors, in seconds. */
const retryAfter: Partial<Record<ErrorCode, number>> = { rate_limited: 10, unavailable: 5 };

/** Returns the response to an error that a route threw. */
export function failureOf(error: unknown, log: ErrorLog, ctx: RequestContext): HttpResponse {
  if (error instanceof ValidationError) return failure(422, 'invalid', error.message, { fields: error.fields });
  if (error instanceof IfMatchNeeded) return failure(428, 'if_match_needed', error.message);
  if (error instanceof SecondFactorNeeded) return failure(401, 'second_factor', error.message);
  if (error instanceof DatabaseOutage) log.error({ requestId: ctx.id, err: error }, 'request failed');
  if (error instanceof AppError) {
    const seconds = error instanceof RateLimited ? error.retryAfter : retryAfter[error.code];
    const headers = seconds === undefined ? [] : ['Retry-After', String(seconds)];
    return failure(statuses[error.code], error.code, error.message, { headers, ...whyOf(error) });
  }
  log.error({ requestId: ctx.id, err: error }, 'request failed');
  if (isUnavailable(error)) {
    const message = 'The service cannot do this at the moment. Try again.';
    return failure(503, 'unavailable', message, { headers: ['Retry-After', '5'] });
  }
  return failure(500, 'failed', 'The service failed to answer the request. Try again later.');
}

function whyOf(error: AppError): Pick<ErrorJson['error'], 'why'> {
  if (error instanceof Refusal) return { why: error.why };
  return error instanceof DatabaseOutage && error.mayHaveChanged ? { why: { reason: 'outcome_unknown' } } : {};
}
