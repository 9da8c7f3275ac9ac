import { AppError } from '../../errors.ts';
import { queryValues } from '../../query.ts';

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

/** Returns the parameter `limit`, or the default. @throws AppError `malformed` if it is no number from 1 to the greatest */
export function readLimit(query: string, { otherwise, max }: { otherwise: number; max: number }): number {
  const limit = Number(oneValue(query, 'limit') ?? otherwise);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw new AppError('malformed', `"limit" must be from 1 to ${max}.`);
}
