import type * as contract from './contract.ts';
import { strings } from './strings.ts';

/** A failure that the service reported. Has status 0 if the service could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** With status 429: the seconds until a retry is allowed. */
  readonly retryAfter: number;
  readonly code: string;
  readonly fields: readonly contract.FieldError[];
  /** Why the service refused, if the code alone does not say. */
  readonly why: contract.Reason | undefined;
  /** The whole answer, which for a conflict includes the other version. */
  readonly answer: unknown;

  constructor(
    status: number,
    code: string,
    message: string,
    {
      fields = [],
      why,
    }: { fields?: readonly contract.FieldError[] | undefined; why?: contract.Reason | undefined } = {},
    answer?: unknown,
    retryAfter = 0,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.fields = fields;
    this.why = why;
    this.answer = answer;
    this.retryAfter = retryAfter;
  }
}

/** True if the request was refused because no user is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** True if the request was refused because the time for acting as a customer's user is over. */
export function isVisitOver(error: unknown): boolean {
  return error instanceof ApiError && error.why?.reason === 'impersonation_over';
}

/** True if another user has changed the page in the meantime. The answer then contains its current state. */
export function isOutdated(error: unknown): error is ApiError & { readonly answer: contract.OutdatedPageJson } {
  return error instanceof ApiError && error.status === 412;
}

/** True for temporary failures, which a retry may resolve: no connection, too many requests, or a problem of the service. */
export function isTemporary(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;
}

/** True if the service could not be reached at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Returns the error for a service that cannot be reached. */
export function unreachable(): ApiError {
  return new ApiError(0, 'offline', strings.errors.offline);
}

/** Returns the error for a failed request. `retryAfter` is in seconds. */
export function failureOf(status: number, answer: Partial<contract.ErrorJson> | undefined, retryAfter = 0): ApiError {
  const { code = 'failed', message = '', ...details } = answer?.error ?? {};
  return new ApiError(status, code, message, details, answer, retryAfter);
}
