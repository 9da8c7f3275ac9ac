import { AppError } from '../../errors.ts';
import { type Schema, textOrNull, textSchema } from './json-schema.ts';
import { oneValue } from './query-parameters.ts';

/* Lists that are answered in parts. */

type Cursor = 'after' | 'before';

/** How many entries a part has: if the request does not say it, and at most. */
const usualLimits = { otherwise: 100, max: 500 };

/** Describes the parameters that say how long a part is, and where it begins. */
export function partParameters(cursor: Cursor, example: string, { otherwise, max } = usualLimits) {
  return {
    limit: textSchema(`How many at most, up to ${max}; ${otherwise} if it is not given.`, '100'),
    [cursor]: textSchema('`next` of the part before.', example),
  };
}

/** Describes `next`. */
export function nextSchema(cursor: Cursor): Schema {
  return textOrNull(`\`${cursor}\` of the next part; null for the last one.`);
}

/** Returns the parameter `limit`, or the default. @throws AppError `malformed` if it is no number from 1 to the greatest */
export function readLimit(query: string, { otherwise, max } = usualLimits): number {
  const limit = Number(oneValue(query, 'limit') ?? otherwise);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw new AppError('malformed', `"limit" must be from 1 to ${max}.`);
}
