import type { ComposeSettings } from './compose.ts';
import { fileTransport } from './file-transport.ts';
import type { OutboxRow } from './outbox.ts';
import { type SmtpTimings, smtpTransport } from './smtp-transport.ts';

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

export interface TransportConfig extends ComposeSettings {
  smtpUrl: string;
  dataDir: string;
}

/**
 * The transport that the configuration names. Nothing is connected yet: a dead server must not keep us from starting.
 * @throws AppError `invalid` when the address is of no use.
 */
export function openTransport(config: TransportConfig, timings: Partial<SmtpTimings> = {}): Transport {
  if (config.smtpUrl === '') return fileTransport(config.dataDir, config);
  return smtpTransport(config.smtpUrl, config, timings);
}
