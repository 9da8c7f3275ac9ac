import { ValidationError } from '../errors.ts';
import { normalForm } from '../normal-form.ts';

/** The fields of a customer that a file may contain, by their names in the API. */
export const importFields = [
  'account_name',
  'account_subdomain',
  'user_name',
  'user_email',
  'plan',
  'language',
  'template',
] as const;
export type ImportField = (typeof importFields)[number];

/** The index of each field's column. A field without a column has no values. */
export type ImportColumns = { readonly [F in ImportField]?: number | undefined };

const requiredFields: readonly ImportField[] = ['account_name', 'account_subdomain', 'user_name', 'user_email'];

/** The words that name a column, without spaces, hyphens and accents. */
const words: Readonly<Record<ImportField, string>> = {
  account_name:
    'accountname account customername customer company companyname business organisation organization name kunde firma kundenname firmenname',
  account_subdomain: 'accountsubdomain subdomain address site website adresse',
  user_name:
    'username user person contact contactname contactperson fullname owner ansprechpartner ansprechperson kontakt',
  user_email: 'useremail email mail mailaddress emailaddress contactemail useremailaddress emailadresse mailadresse',
  plan: 'plan planname tariff tarif package paket',
  language: 'language locale lang sprache',
  template: 'template templatename sitetemplate websitetemplate vorlage vorlagenname',
};

/** Returns the columns whose names are known. If several match a field, the first word in the field's list counts. */
export function recognizeColumns(header: readonly string[]): ImportColumns {
  const names = header.map(columnKey);
  const columns: { [F in ImportField]?: number } = {};
  for (const field of importFields) {
    const name = words[field].split(' ').find((word) => names.includes(word));
    if (name !== undefined) columns[field] = names.indexOf(name);
  }
  return columns;
}

/**
 * Checks that every required field has a column, and returns the columns.
 * @throws ValidationError for required fields without a column, and for columns that the file does not have
 */
export function requireColumns(columns: ImportColumns, columnCount: number): ImportColumns {
  const missing = findMissingColumns(columns, columnCount);
  if (missing.length > 0) throw new ValidationError(missing.map((field) => ({ field, code: 'in_no_column' })));
  return columns;
}

/**
 * Returns the fields that need another column: required fields without one, and fields whose column the file does not have.
 */
export function findMissingColumns(columns: ImportColumns, columnCount: number): ImportField[] {
  const isThere = (field: ImportField) => {
    const column = columns[field];
    return column === undefined ? !requiredFields.includes(field) : column >= 0 && column < columnCount;
  };
  return importFields.filter((field) => !isThere(field));
}

/** Returns the name without spaces, hyphens and accents, in lower case. */
function columnKey(name: string): string {
  return normalForm(name, 'NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
