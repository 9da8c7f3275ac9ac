import type { AccountValues } from '../accounts/create-account.ts';
import type { FieldError } from '../field-error.ts';
import type { ImportColumns, ImportField } from './columns.ts';
import type { Offers } from './offers.ts';

/** A customer as a line describes it. An empty plan, language or template is undefined. */
export interface ImportedCustomer extends AccountValues {
  planId: number | undefined;
  language: string | undefined;
  templateId: number | undefined;
}

/** Returns the customer that a line describes, and the failures of its plan and template. */
export function customerOfLine(
  cells: readonly string[],
  columns: ImportColumns,
  offers: Offers,
): { customer: ImportedCustomer; failures: FieldError[] } {
  const textOf = (field: ImportField) => cells[columns[field] ?? -1] ?? '';
  const failures: FieldError[] = [];
  const idOf = (field: 'plan' | 'template') => {
    const name = textOf(field).trim();
    if (name === '') return undefined;
    const found = offers[field](name);
    if ('id' in found) return found.id;
    failures.push({ field, ...found.problem });
    return undefined;
  };
  const customer = {
    accountName: textOf('account_name'),
    subdomain: textOf('account_subdomain'),
    userName: textOf('user_name'),
    userEmail: textOf('user_email'),
    planId: idOf('plan'),
    language: textOf('language').trim() || undefined,
    templateId: idOf('template'),
  };
  return { customer, failures };
}
