import type { FieldCode, FieldError } from './field-error.ts';

/**
 * The errors of the domain. Features throw them without knowing HTTP or exit codes; each surface maps the codes in one
 * place.
 */
export type ErrorCode =
  | 'malformed'
  | 'invalid'
  | 'unauthorized'
  | 'suspended'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  /** Another user changed the subject first. */
  | 'outdated'
  /** The subject existed, but is no longer available. */
  | 'gone'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable';

/** An expected failure. Its message is written for the user who caused it, and contains no secret. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
  }
}

/** Thrown for actions that were done too often. `retryAfter` is the number of seconds to wait. */
export class RateLimited extends AppError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super('rate_limited', message);
    this.name = 'RateLimited';
    this.retryAfter = retryAfter;
  }
}

/** The codes that depend on stored data: the same value may be accepted at another time. */
const conflicts: ReadonlySet<FieldCode> = new Set([
  'taken',
  'plan_limit',
  'kept_from_others',
  'already_added',
  'already_ended',
  'already_sent',
  'already_used',
]);

/** All rules that an input breaks, reported together. */
export class ValidationError extends AppError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super('invalid', fields.map(({ field, code }) => `${field}: ${code}`).join('; '));
    this.name = 'ValidationError';
    this.fields = fields;
  }

  /** True if the values are valid in themselves, and only conflict with existing data. */
  get isConflict(): boolean {
    return this.fields.every(({ code }) => conflicts.has(code));
  }
}

/** Thrown when an addition would exceed a quota of the installation or a limit of the account's plan. */
export class LimitReached extends ValidationError {}

/** Returns the message of an error; if several addresses of a host were tried, the messages of all attempts. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node collects such failures in an AggregateError without a message.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error.message;
}

/** Returns the error for a subject that does not exist, or belongs to another account, which gets the same answer. */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} does not exist.`);
}
