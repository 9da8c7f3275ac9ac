import type { MimeSettings } from './build-mime-message.ts';
import { fileTransport } from './file-transport.ts';
import { type SmtpTimings, smtpTransport } from './smtp-transport.ts';
import type { Transport } from './transport.ts';

interface TransportConfig extends MimeSettings {
  smtpUrl: string;
  dataDir: string;
}

/**
 * Returns the transport for the configuration. It connects to no server yet: a server that is down must not keep the service
 * from starting.
 * @throws AppError `invalid` when SMTP_URL is unusable.
 */
export function openTransport(config: TransportConfig, timings: Partial<SmtpTimings> = {}): Transport {
  if (config.smtpUrl === '') return fileTransport(config.dataDir, config);
  return smtpTransport(config.smtpUrl, config, timings);
}
