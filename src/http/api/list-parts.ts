import { AppError } from '../../errors.ts';
import { type Schema, textOrNull, textSchema } from './json-schema.ts';
import { oneValue } from './query-parameters.ts';

/*
 * Parameters and schemas of paginated lists.
 */

type Cursor = 'after' | 'before';

/** The default and the highest number of entries in a part. */
const usualLimits = { otherwise: 100, max: 500 };

/** Describes the parameters for the length of a part and for its start. */
export function partParameters(cursor: Cursor, example: string, { otherwise, max } = usualLimits) {
  return {
    limit: textSchema(`Maximum number of items, up to ${max}; ${otherwise} by default.`, '100'),
    [cursor]: textSchema('`next` of the previous part.', example),
  };
}

/** Returns the schema of `next`. */
export function nextSchema(cursor: Cursor): Schema {
  return textOrNull(`\`${cursor}\` for the next part; null for the last part.`);
}

/** Returns the parameter `limit`, or the default. @throws AppError `malformed` if it is not an integer from 1 to the maximum */
export function readLimit(query: string, { otherwise, max } = usualLimits): number {
  const limit = Number(oneValue(query, 'limit') ?? otherwise);
  if (Number.isInteger(limit) && limit >= 1 && limit <= max) return limit;
  throw new AppError('malformed', `"limit" must be from 1 to ${max}.`);
}
