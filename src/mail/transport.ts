import type { OutboxRow } from './outbox.ts';

/** Where messages go: a mail server, or a folder while none is named. */
export interface Transport {
  /** Where messages go, for a person; never with a password. */
  readonly description: string;
  /** Whether messages leave for their recipients, or somebody has to see to that. */
  readonly delivers: boolean;
  /** Settles within minutes whatever the server does. @throws DeliveryError when the message was not taken. */
  send(message: OutboxRow): Promise<void>;
  close(): Promise<void>;
}
