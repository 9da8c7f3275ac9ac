import { AppError } from '../../errors.ts';
import { parseId } from '../../parse-id.ts';
import { queryValues } from '../../query.ts';
import type { IdPrefix } from './ids.ts';

/** Whether the query is nothing but a key as it was issued: nearly every one is. */
export function isKeyAlone(query: string): boolean {
  return query.startsWith('api_key=') && !/[&%]/.test(query);
}

/** Returns the parameter's value; undefined where there is none. @throws AppError `malformed` if it is given twice */
export function oneValue(query: string, name: string): string | undefined {
  // Looking for three parameters takes 3 % of a 304.
  if (query === '' || isKeyAlone(query)) return undefined;
  const [value, ...more] = queryValues(query, name);
  if (more.length > 0) throw new AppError('malformed', `"${name}" is given twice.`);
  return value;
}

/** Returns the id that the parameter has; undefined where there is none. @throws AppError `malformed` */
export function readId(query: string, name: string, prefix: IdPrefix): number | undefined {
  const text = oneValue(query, name);
  if (text === undefined) return undefined;
  const id = parseId(prefix, text);
  if (id === undefined) throw new AppError('malformed', wrongId(name, prefix));
  return id;
}

/** Returns what is wrong with a parameter that is no id. */
export function wrongId(name: string, prefix: IdPrefix): string {
  return `"${name}" must be an id like "${prefix}_12".`;
}
