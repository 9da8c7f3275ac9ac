import { oneLine } from './one-line.ts';

/** A message was not taken. Its message is the server's last words, safe to store and to show. */
export class DeliveryError extends Error {
  /** Whether the server refused this very message, so that trying again would only be refused again. */
  readonly permanent: boolean;

  constructor(lastWords: string, permanent: boolean) {
    // A server may say anything at any length; PostgreSQL, for one, takes no NUL.
    super(oneLine(lastWords).slice(0, 500) || 'No reason given.');
    this.name = 'DeliveryError';
    this.permanent = permanent;
  }
}
