import type { CheckedImportJson, ImportColumnsJson, ImportField } from '../../../contract.ts';
import { words } from './words.ts';

/** The fields in the order of the screen. */
export const importFields = Object.keys(words.fields) as ImportField[];

const optionalFields: ReadonlySet<ImportField> = new Set(['plan', 'language', 'template']);

export function isRequired(field: ImportField): boolean {
  return !optionalFields.has(field);
}

/** Returns the columns that can be chosen, with their numbers as values. A required field with a column does not offer none. */
export function columnOptions(header: readonly string[], field: ImportField, chosen: number | null) {
  const options = header.map((name, index) => ({
    value: String(index),
    label: name.trim() || words.emptyColumn(index),
  }));
  const none = { value: '', label: words.noColumn };
  return isRequired(field) && chosen !== null ? options : [none, ...options];
}

/** Returns the columns with another one for a field, which takes it from the field that had it. */
export function chooseColumn(columns: ImportColumnsJson, field: ImportField, column: number | null): ImportColumnsJson {
  const others = Object.entries(columns).map(([other, its]) => [other, its === column ? null : its]);
  return { ...(Object.fromEntries(others) as ImportColumnsJson), [field]: column };
}

/** Returns the field's value in the first line, or undefined if the field has no column. */
export function sampleOf({ sample, columns }: CheckedImportJson, field: ImportField): string | undefined {
  const column = columns[field];
  return column === null ? undefined : (sample[0]?.cells[column] ?? '').trim();
}
