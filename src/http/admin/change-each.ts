import { AppError, ValidationError } from '../../errors.ts';
import { Refusal } from '../../refusal.ts';
import type { RefusedJson } from './contract.ts';

/**
 * Makes changes in their order, each in a transaction of its own: one that is refused undoes no other, and other requests
 * wait for one change, not for all. Returns the results of those that were tried: what is done is reported even if the next
 * one fails, since nobody could undo it otherwise.
 * @throws AppError `malformed` for more than `max` changes; whatever the first change fails with, unless it is refused
 */
export async function changeEach<C, T>(
  changes: readonly C[],
  { max, idOf, make }: { max: number; idOf: (change: C) => number; make: (change: C) => Promise<T> },
): Promise<(T | RefusedJson)[]> {
  if (changes.length > max) throw new AppError('malformed', `Send at most ${max} changes at once.`);
  const results: (T | RefusedJson)[] = [];
  for (const one of changes) {
    try {
      results.push(await make(one));
    } catch (error) {
      if (isRefusal(error)) results.push(refusedJson(idOf(one), error));
      else if (results.length > 0) break;
      else throw error;
    }
  }
  return results;
}

/** Whether the error is about the one thing that was to be changed. */
function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && ['conflict', 'not_found', 'invalid'].includes(error.code);
}

/** Says why a change was refused. */
export function refusedJson(id: number, error: AppError): RefusedJson {
  return {
    id,
    code: error.code,
    why: error instanceof Refusal ? error.why : null,
    ...(error instanceof ValidationError && { fields: error.fields }),
  };
}
