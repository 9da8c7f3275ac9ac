import { notifications } from '@mantine/notifications';
import { ApiError } from './api-error.ts';
import type { FieldError, Reason } from './contract.ts';
import { NewVersionError } from './load-part.ts';
import { strings } from './strings.ts';

/** Explains an error in words that say what to do. */
export function explain(error: unknown): string {
  if (error instanceof NewVersionError) return strings.errors.newVersion.text;
  if (!(error instanceof ApiError)) return strings.errors.unexpected;
  if (error.status === 0) return strings.errors.offline;
  if (error.status === 401 && !error.why) return strings.errors.signedOut;
  if (error.code === 'suspended') return error.why ? explainRefusal(error.why) : strings.errors.suspended;
  if (error.code === 'cross_site') return strings.errors.crossSite;
  if (error.status === 403) return error.why ? explainRefusal(error.why) : strings.errors.forbidden;
  if (error.code === 'not_found') return strings.errors.gone;
  if (error.code === 'malformed') return strings.errors.unexpected;
  if (error.status === 412) return strings.errors.outdated;
  if (error.status === 429) return strings.errors.tooMany(error.retryAfter);
  if (error.why) return explainRefusal(error.why);
  if (error.status >= 500) return strings.errors.server;
  return error.fields.map(explainField).join(' ') || strings.errors.unexpected;
}

/** Returns the heading above an error, and the label of the button below it. */
export function frameOf(error: unknown): { readonly title: string; readonly retry: string } {
  return error instanceof NewVersionError ? strings.errors.newVersion : strings.errors;
}

/** Shows an error as a message in the corner, for actions that did not wait for the service. */
export function showError(error: unknown, title = strings.errors.title): void {
  notifications.show({ color: 'red', title, message: explain(error), autoClose: 10_000 });
}

/** Returns a sentence for each invalid field of a form, by field name. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const errors: Record<string, string> = {};
  for (const broken of error.fields) {
    const { field, code } = broken;
    // The plan's limit concerns no field of the form.
    if (code === 'plan_limit') continue;
    errors[field] = errors[field] ? `${errors[field]} ${explainField(broken)}` : explainField(broken);
  }
  return errors;
}

/** Returns the error of a form that has only this field. */
export function onlyFieldError(error: unknown, field: string): string | undefined {
  return error === undefined ? undefined : (fieldErrors(error)[field] ?? explain(error));
}

export function explainRefusal({ reason, params }: Reason): string {
  return filledIn(strings.refusals[reason] as Words, params);
}

/** Returns the sentence about an invalid field. */
export function explainField({ field, code, params }: FieldError): string {
  return `${strings.fields[field] ?? field} ${filledIn(strings.rules[code] as Words, params)}.`;
}

/** The text for a code, or a function that takes the parameters that the contract defines for the code. */
type Words = string | ((params: FieldError['params'] | Reason['params']) => string);

function filledIn(words: Words, params: FieldError['params'] | Reason['params']): string {
  return typeof words === 'string' ? words : words(params);
}
