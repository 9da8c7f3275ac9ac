import * as v from 'valibot';
import type { BrokenRule } from '../../field-error.ts';

/*
 * The parts of the schemas of requests. The message of a type says what the value must be: any other value is
 * `malformed`. The message of a rule is the code of the `FieldError` of a value that breaks it.
 */

/** The schema of a body or a query. Unknown fields are ignored. */
export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, v.ErrorMessage<v.ObjectIssue> | undefined>;

/** The schema of nothing: of a route that reads no body, or no query. */
export type NoInput = v.ObjectSchema<Record<never, never>, undefined>;

export type RuleCode = Extract<BrokenRule, { params?: undefined }>['code'];

/** A rule for a value of the right type. */
export const rule = <T>(code: RuleCode, holds: (value: T) => boolean) => v.check<T, RuleCode>(holds, code);

const anyText = <T extends string>() => v.custom<T>((value) => typeof value === 'string', 'must be a text');

/** A text of which the app sends only certain values: the verb checks which. Neither database stores NUL characters. */
export const textOf = <T extends string>() =>
  v.pipe(
    anyText<T>(),
    rule<T>('nul_character', (value) => !value.includes('\0')),
    v.transform((value): string => value),
  );

export const text = textOf<string>();

export const oneOf = <T extends string>(values: readonly T[]) =>
  v.pipe(
    anyText<T>(),
    rule<T>('not_included', (value) => values.includes(value)),
  );

export const flag = v.boolean('must be true or false');

export const integer = v.custom<number>(Number.isSafeInteger, 'must be a whole number');

/** A whole number in a query. */
export const wholeNumber = v.pipe(
  v.custom<string>((value) => /^\d{1,15}$/.test(String(value)), 'must be a whole number'),
  v.transform(Number),
);
