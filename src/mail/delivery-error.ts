import { oneLine } from './one-line.ts';

/** Thrown when a message was not accepted. The error's message is the server's last response, safe to store and to show. */
export class DeliveryError extends Error {
  /** True if the server refused this particular message, so that another attempt would be refused as well. */
  readonly isPermanent: boolean;

  constructor(serverReply: string, isPermanent: boolean) {
    // A server may send text of any length and content, and PostgreSQL stores no NUL characters.
    super(oneLine(serverReply).slice(0, 500) || 'No reason given.');
    this.name = 'DeliveryError';
    this.isPermanent = isPermanent;
  }
}
