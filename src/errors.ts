import type { FieldCode, FieldError } from './field-error.ts';

/**
 * Errors in terms of the domain. Features throw these and know nothing of HTTP or exit codes; each surface maps the
 * codes once.
 */
export type ErrorCode =
  | 'malformed'
  | 'invalid'
  | 'unauthorized'
  | 'suspended'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  /** Somebody else changed the thing first. */
  | 'outdated'
  /** It was there once, and cannot be had any more. */
  | 'gone'
  | 'too_large'
  | 'rate_limited'
  | 'unavailable';

/** An expected failure: its message is written for the person who caused it and holds no secret. */
export class AppError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
  }
}

/** Thrown for what was done too often; `retryAfter` tells in how many seconds to try again. */
export class RateLimited extends AppError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super('rate_limited', message);
    this.name = 'RateLimited';
    this.retryAfter = retryAfter;
  }
}

/** The codes that depend on what is stored: the same value may be accepted at another time. */
const conflicts: ReadonlySet<FieldCode> = new Set([
  'taken',
  'plan_limit',
  'kept_from_others',
  'already_added',
  'already_ended',
  'already_sent',
  'already_used',
]);

/** Every rule an input broke, reported together. */
export class ValidationError extends AppError {
  readonly fields: readonly FieldError[];

  constructor(fields: readonly FieldError[]) {
    super('invalid', fields.map(({ field, code }) => `${field}: ${code}`).join('; '));
    this.name = 'ValidationError';
    this.fields = fields;
  }

  /** Whether the values are valid in themselves and conflict only with existing data. */
  get isConflict(): boolean {
    return this.fields.every(({ code }) => conflicts.has(code));
  }
}

/** Refuses to add what would exceed a limit of the account: a quota of the installation, or a limit of its plan. */
export class LimitReached extends ValidationError {}

/** Returns the message of an error; for a host of which every address was tried, the messages of all attempts. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Node reports such failures in one that has no message of its own.
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join('; ');
  return error.message;
}

/** The thing asked for is not there (or belongs to someone else, which is the same answer). */
export function notFound(what: string): AppError {
  return new AppError('not_found', `${what} does not exist.`);
}
