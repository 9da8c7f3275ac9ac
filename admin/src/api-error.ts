import type * as contract from './contract.ts';
import { strings } from './strings.ts';

/** A failure, as the service reports it; status 0 if it could not be reached. */
export class ApiError extends Error {
  readonly status: number;
  /** With 429: in how many seconds it may be tried again. */
  readonly retryAfter: number;
  readonly code: string;
  readonly fields: readonly contract.FieldError[];
  /** Why it was refused, where the code alone does not tell. */
  readonly why: contract.Reason | undefined;
  /** The whole answer: a conflict may bring the other version with it. */
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

/** Whether it was refused because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether it was refused because the person does not act for a customer's person any more. */
export function isVisitOver(error: unknown): boolean {
  return error instanceof ApiError && error.why?.reason === 'impersonation_over';
}

/** Whether somebody else has changed the page in the meantime: the answer has its current state. */
export function isOutdated(error: unknown): error is ApiError & { readonly answer: contract.OutdatedPageJson } {
  return error instanceof ApiError && error.status === 412;
}

/** Whether a failure goes away by itself: no connection, too many requests, or a problem of the service. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof ApiError) || error.status === 0 || error.status === 429 || error.status >= 500;
}

/** Whether the service could not be reached at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.status === 0;
}

/** Returns the error that says so. */
export function unreachable(): ApiError {
  return new ApiError(0, 'offline', strings.errors.offline);
}

/** Returns the error for an answer that is no success; `retryAfter` in seconds. */
export function failureOf(status: number, answer: Partial<contract.ErrorJson> | undefined, retryAfter = 0): ApiError {
  const { code = 'failed', message = '', ...details } = answer?.error ?? {};
  return new ApiError(status, code, message, details, answer, retryAfter);
}
