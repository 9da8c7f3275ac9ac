import * as v from 'valibot';
import type { BrokenRule } from '../../field-error.ts';

/*
 * The building blocks of request schemas. A value of the wrong type is `malformed`; the type's message says what it must be. A
 * value that breaks a rule is a `FieldError`; the rule's message is its code.
 */

/** The schema of a body or a query. Unknown fields are ignored. */
export type ObjectSchema = v.ObjectSchema<v.ObjectEntries, v.ErrorMessage<v.ObjectIssue> | undefined>;

/** The schema for routes that read no body, or no query. */
export type NoInput = v.ObjectSchema<Record<never, never>, undefined>;

export type RuleCode = Extract<BrokenRule, { params?: undefined }>['code'];

/** Returns a rule for values of the right type. */
export const rule = <T>(code: RuleCode, holds: (value: T) => boolean) => v.check<T, RuleCode>(holds, code);

const anyText = <T extends string>() => v.custom<T>((value) => typeof value === 'string', 'must be a text');

/** Returns the schema of a text whose values the verb checks. NUL characters are refused: neither database stores them. */
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
