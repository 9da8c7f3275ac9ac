import { AppError, ValidationError } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import type { RefusedJson } from './contract.ts';

interface ChangeEachOptions<C, T> {
  max: number;
  idOf: (change: C) => number;
  make: (change: C) => Promise<T>;
  /** Called with the error that ends the changes early, for the log. */
  onFailure: (error: unknown) => void;
}

/**
 * Makes changes in their order, each in its own transaction: a refused change does not affect the others, and other requests
 * wait for one change, not for all. Returns the results of the tried changes. Changes that are done are reported even if the next
 * one fails, because the user could not undo them otherwise; `onFailure` gets the error then.
 * @throws AppError `malformed` for more than `max` changes; the error of the first change, unless it was refused
 */
export async function changeEach<C, T>(
  changes: readonly C[],
  { max, idOf, make, onFailure }: ChangeEachOptions<C, T>,
): Promise<(T | RefusedJson)[]> {
  if (changes.length > max) throw new AppError('malformed', `Send at most ${max} changes at once.`);
  const results: (T | RefusedJson)[] = [];
  for (const one of changes) {
    try {
      results.push(await make(one));
    } catch (error) {
      if (isRefusal(error)) results.push(refusedJson(idOf(one), error));
      else if (results.length === 0) throw error;
      else {
        onFailure(error);
        break;
      }
    }
  }
  return results;
}

/** True if the error concerns only this change, so that others may still be tried. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && ['conflict', 'not_found', 'invalid'].includes(error.code);
}

/** Returns the result of a refused change, with the reason. */
export function refusedJson(id: number, error: AppError): RefusedJson {
  return {
    id,
    code: error.code,
    why: error instanceof Refusal ? error.why : null,
    ...(error instanceof ValidationError && { fields: error.fields }),
  };
}
