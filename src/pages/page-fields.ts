import type { BodyFormat, Timestamp } from '../db/schema.ts';
import type { FieldError } from '../field-error.ts';
import { validateName } from '../name.ts';

/** The fields of a page that users edit. */
export interface PageFields {
  name: string;
  /** In a change, a blank urlname is replaced by one made from the name. */
  urlname: string;
  isHidden: boolean;
  description: string | null;
  customDate: Timestamp;
  body: string;
  bodyFormat: BodyFormat | '';
}

/** The fields that a change or a draft sets. */
export type SomePageFields = { readonly [F in keyof PageFields]?: PageFields[F] | undefined };

/** The first and the last moment of the years 1 to 9999, which every calendar can show. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

export function isPageDate(time: Timestamp): boolean {
  return Number.isInteger(time) && time >= EARLIEST && time <= LATEST;
}

/** Returns the fields with the name trimmed, and all failures. */
export function parsePageFields(fields: SomePageFields): { fields: SomePageFields; failures: FieldError[] } {
  const failures: FieldError[] = [];
  const name = fields.name?.trim();
  const problem = name === undefined ? undefined : validateName(name);
  if (problem) failures.push({ field: 'name', ...problem });
  for (const field of ['urlname', 'description', 'body'] as const) {
    if (fields[field]?.includes('\0')) failures.push({ field, code: 'nul_character' });
  }
  const { customDate } = fields;
  if (customDate !== undefined && !isPageDate(customDate)) {
    failures.push({ field: 'custom_date', code: 'not_a_date' });
  }
  return { fields: name === undefined ? fields : { ...fields, name }, failures };
}
