import type { OutboxRow } from './outbox.ts';

/** Delivers messages to a mail server, or to a folder if none is configured. */
export interface Transport {
  /** Describes the target for people; never contains a password. */
  readonly description: string;
  /** Whether messages are sent to their recipients. */
  readonly delivers: boolean;
  /** Settles within minutes whatever the server does. @throws DeliveryError when the message was not taken. */
  send(message: OutboxRow): Promise<void>;
  close(): Promise<void>;
}
