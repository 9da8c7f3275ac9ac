import { AppError } from '../../errors.ts';
import { parseId } from '../../parse-id.ts';
import { queryValues } from '../../query.ts';
import type { IdPrefix } from './ids.ts';

/** Returns whether the query consists of a key only, as nearly every query does. */
export function isKeyAlone(query: string): boolean {
  return query.startsWith('api_key=') && !/[&%]/.test(query);
}

/** Returns the parameter's value, or undefined if it is missing. @throws AppError `malformed` if it is given twice */
export function oneValue(query: string, name: string): string | undefined {
  // This shortcut matters: looking for three parameters takes 3 % of the time of a 304.
  if (query === '' || isKeyAlone(query)) return undefined;
  const [value, ...more] = queryValues(query, name);
  if (more.length > 0) throw new AppError('malformed', `"${name}" is given twice.`);
  return value;
}

/** Returns the id in the parameter, or undefined if it is missing. @throws AppError `malformed` */
export function readId(query: string, name: string, prefix: IdPrefix): number | undefined {
  const text = oneValue(query, name);
  if (text === undefined) return undefined;
  const id = parseId(prefix, text);
  if (id === undefined) throw new AppError('malformed', wrongId(name, prefix));
  return id;
}

/** Returns the error message for a parameter that is not an id. */
export function wrongId(name: string, prefix: IdPrefix): string {
  return `"${name}" must be an id like "${prefix}_12".`;
}
