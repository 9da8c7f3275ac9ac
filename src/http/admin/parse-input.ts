import { getDotPath, type InferOutput, safeParse } from 'valibot';
import { AppError, ValidationError } from '../../errors.ts';
import type { FieldError } from '../../field-error.ts';
import type { ObjectSchema } from './schema.ts';

/**
 * Returns the part of a body that its schema describes.
 * @throws AppError `malformed` if a value has another type; ValidationError with every rule that is broken
 */
export function parseInput<S extends ObjectSchema>(schema: S, input: unknown): InferOutput<S> {
  // Valibot's object schema would accept an array.
  const { success, output, issues } = safeParse(schema, Array.isArray(input) ? undefined : input);
  if (success) return output;
  const wrong = issues.find(({ kind }) => kind === 'schema');
  if (!wrong) {
    const broken = issues.map(({ path, message }) => ({ field: path!.at(-1)!.key, code: message }) as FieldError);
    throw new ValidationError(broken);
  }
  const name = getDotPath(wrong);
  if (name === null) throw new AppError('malformed', 'The body must be a JSON object.');
  throw new AppError('malformed', `"${name}" ${wrong.received === 'undefined' ? 'is missing' : wrong.message}.`);
}
