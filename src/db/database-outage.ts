import { AppError } from '../errors.ts';

interface OutageOptions extends ErrorOptions {
  /** True if the database was told to commit a change and has not said whether it did. */
  readonly mayHaveChanged?: boolean;
  /** True if the outage was known before, so that the log already has it. */
  readonly isKnown?: boolean;
}

/** The error if the database did not answer in time, is known not to answer, or went away before it confirmed a change. */
export class DatabaseOutage extends AppError {
  readonly mayHaveChanged: boolean;
  readonly isKnown: boolean;

  constructor({ mayHaveChanged = false, isKnown = false, ...options }: OutageOptions = {}) {
    super('unavailable', mayHaveChanged ? OUTCOME_UNKNOWN : NO_ANSWER, options);
    this.name = 'DatabaseOutage';
    this.mayHaveChanged = mayHaveChanged;
    this.isKnown = isKnown;
  }

  /** Returns the error for a request that has already made a change. */
  afterChange(): DatabaseOutage {
    return new DatabaseOutage({ mayHaveChanged: true, isKnown: this.isKnown, cause: this });
  }
}

const NO_ANSWER = 'The database does not answer at the moment. Try again.';

const OUTCOME_UNKNOWN =
  'The database did not confirm the change: it may have been made or not. If the request had an Idempotency-Key, ' +
  'send it again with the same key. Otherwise look whether the change was made before you try again.';
