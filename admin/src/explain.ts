import { notifications } from '@mantine/notifications';
import { ApiError } from './api.ts';
import { strings } from './strings.ts';
import { translateServiceMessage } from './translate-service-message.ts';

/** An error in words that say what to do. */
export function explain(error: unknown): string {
  if (!(error instanceof ApiError)) return strings.errors.unexpected;
  if (error.status === 0) return strings.errors.offline;
  if (error.status === 401) return strings.errors.signedOut;
  if (error.code === 'suspended') return strings.errors.suspended;
  if (error.code === 'cross_site') return strings.errors.crossSite;
  if (error.status === 403) return strings.errors.forbidden;
  if (error.code === 'not_found') return strings.errors.gone;
  if (error.code === 'malformed') return strings.errors.unexpected;
  if (error.status === 412) return strings.errors.outdated;
  if (error.status === 429) return strings.errors.tooMany(error.retryAfter);
  if (error.status >= 500) return strings.service[error.message] ?? strings.errors.server;
  const fields = error.fields.map(
    ([field, message]) => `${strings.fields[field] ?? field} ${translateServiceMessage(message)}.`,
  );
  return fields.length > 0 ? fields.join(' ') : translateServiceMessage(error.message) || strings.errors.unexpected;
}

/** The same in a corner, for what was done without waiting. */
export function showError(error: unknown, title = strings.errors.title): void {
  notifications.show({ color: 'red', title, message: explain(error), autoClose: 10_000 });
}

/** What is wrong with each field of a form, by the names of the form. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError)) return {};
  const errors: Record<string, string> = {};
  for (const [field, message] of error.fields) {
    const text = `${strings.fields[field] ?? field} ${translateServiceMessage(message)}.`;
    errors[field] = errors[field] ? `${errors[field]} ${text}` : text;
  }
  return errors;
}
