import { inEnglish } from '../../english.ts';
import type { ValidationError } from '../../errors.ts';

/** Presents broken rules as the interface does for pages: pairs of field and message. */
export function fieldPairs({ fields }: ValidationError): [field: string, message: string][] {
  return fields.map((error) => [error.field, inEnglish(error)]);
}
