/**
 * What can go wrong, in the words of the domain. Features throw these and know nothing of HTTP or exit codes;
 * each surface maps the codes once.
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

/** Refuses what was done too often; `retryAfter` tells in how many seconds to try again. */
export class RateLimited extends AppError {
  readonly retryAfter: number;

  constructor(message: string, retryAfter: number) {
    super('rate_limited', message);
    this.name = 'RateLimited';
    this.retryAfter = retryAfter;
  }
}

/** One failed rule: the field's own name and what is wrong with it, e.g. `['name', "can't be blank"]`. */
export type FieldError = readonly [field: string, message: string];

/** Every rule an input broke, reported together. */
export class ValidationError extends AppError {
  readonly failures: readonly FieldError[];

  constructor(failures: readonly FieldError[]) {
    super('invalid', failures.map(([field, message]) => `${field} ${message}`).join('; '));
    this.name = 'ValidationError';
    this.failures = failures;
  }

  /** Whether the values are right in themselves, and only what is there already speaks against them. */
  get isConflict(): boolean {
    return this.failures.every(([, message]) => message.startsWith('has already been '));
  }
}

/** What an error says; of a host, every address of which was tried, what each attempt says. */
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
