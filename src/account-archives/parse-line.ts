import type { Field, Line, Numbered } from './format.ts';

/** The numbers of lines that other lines can refer to. */
export type Counts = Readonly<Record<Numbered, number>>;

/** Returns the failures in a line, each with the name of its field, as ends of sentences. */
export function validateLine(
  fields: Readonly<Record<string, Field>>,
  line: Line,
  counts: Counts,
  others: readonly string[] = [],
): string[] {
  const failures: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const problem = Object.hasOwn(line, name) ? problemWith(field, line[name], counts) : 'is missing';
    if (problem) failures.push(`"${name}" ${problem}`);
  }
  for (const name of Object.keys(line)) {
    if (!Object.hasOwn(fields, name) && !others.includes(name)) failures.push(`"${name.slice(0, 100)}" is not known`);
  }
  return failures;
}

function problemWith(field: Field, value: unknown, counts: Counts): string | undefined {
  if (value === null && field.isNullable) return undefined;
  switch (field.type) {
    case 'text':
      return problemWithText(value, field.maxCharacters);
    case 'integer':
      return isInteger(value, field.min, field.max)
        ? undefined
        : `must be a whole number from ${field.min} to ${field.max}`;
    case 'flag':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'choice':
      return field.values.includes(value as string)
        ? undefined
        : `must be one of ${field.values.map((one) => JSON.stringify(one)).join(', ')}`;
    case 'ref': {
      const count = counts[field.to];
      return isInteger(value, 1, count) ? undefined : `must be the number of one of the ${count} ${field.to}`;
    }
  }
}

function problemWithText(value: unknown, maxCharacters: number): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > maxCharacters) return `has more than ${maxCharacters} characters`;
  if (value.includes('\0')) return 'contains a NUL character';
  return value.isWellFormed() ? undefined : 'contains an incomplete character';
}

export function isInteger(value: unknown, min: number, max: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
}
