import type { OutboxRow } from './outbox.ts';

/** Delivers messages to a mail server, or to a folder if none is configured. */
export interface Transport {
  /** Describes the target for people; never contains a password. */
  readonly description: string;
  /** True if messages are sent to their recipients, rather than stored. */
  readonly delivers: boolean;
  /**
   * Sends a message. Settles within minutes, whatever the server does.
   * @throws DeliveryError when the message was not accepted.
   */
  send(message: OutboxRow): Promise<void>;
  close(): Promise<void>;
}
