import { inEnglish } from '../../english.ts';
import type { ValidationError } from '../../errors.ts';

/** Returns validation errors as the API presents them for most operations: pairs of field and message. */
export function fieldPairs({ fields }: ValidationError): [field: string, message: string][] {
  return fields.map((error) => [error.field, inEnglish(error)]);
}
