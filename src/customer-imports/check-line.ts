import { normalAccountValues } from '../accounts/create-account.ts';
import type { FieldError } from '../field-error.ts';
import { parseLanguage } from '../sites/change-site.ts';
import type { ImportColumns } from './columns.ts';
import { customerOfLine, type ImportedCustomer } from './customer-of-line.ts';
import type { Offers } from './offers.ts';
import type { CsvLine } from './read-csv.ts';

interface CheckedLine {
  number: number;
  /** The values as they are stored. */
  customer: ImportedCustomer;
  /** The failures of the plan, the language and the template. `validateAccountValues` finds those of the other fields. */
  failures: FieldError[];
}

/** Parses a line as a customer, and checks everything that does not depend on other accounts. */
export function checkLine({ number, cells }: CsvLine, columns: ImportColumns, offers: Offers): CheckedLine {
  const { customer, failures } = customerOfLine(cells, columns, offers);
  const language = customer.language === undefined ? undefined : parseLanguage(customer.language);
  if (customer.language !== undefined && language === undefined)
    failures.push({ field: 'language', code: 'not_a_language' });
  const { planId, templateId } = customer;
  return { number, customer: { ...normalAccountValues(customer), planId, language, templateId }, failures };
}
