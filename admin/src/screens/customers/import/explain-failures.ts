import type { FieldError } from '../../../contract.ts';
import { explainField } from '../../../explain.ts';
import { words } from './words.ts';

/** Returns the errors of a line as sentences. */
export function explainFailures(failures: readonly FieldError[]): string {
  return failures.map(explainFailure).join(' ');
}

function explainFailure(failure: FieldError): string {
  const { field, code, params } = failure;
  if (field === 'plan' && code === 'not_one_of') return words.unknownPlan(params);
  if (field === 'plan' && code === 'not_included') return words.retiredPlan;
  if (field === 'template' && code === 'not_one_of') return words.unknownTemplate(params);
  if (field === 'template' && code === 'not_included') return words.retiredTemplate;
  const names: Record<string, string> = words.fields;
  return explainField({ ...failure, field: names[field] ?? field });
}
