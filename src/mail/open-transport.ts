import type { MimeSettings } from './build-mime-message.ts';
import { fileTransport } from './file-transport.ts';
import { type SmtpTimings, smtpTransport } from './smtp-transport.ts';
import type { Transport } from './transport.ts';

interface TransportConfig extends MimeSettings {
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
