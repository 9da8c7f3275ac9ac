import { AppError } from '../errors.ts';
import { buildMimeMessage, type MimeSettings } from './build-mime-message.ts';
import { DeliveryError } from './delivery-error.ts';
import { createTransport } from './nodemailer.ts';
import type { Transport } from './transport.ts';

/** All in milliseconds. */
export interface SmtpTimings {
  connectionTimeout: number;
  /** From the connection to the server's greeting; some keep spammers waiting for several seconds. */
  greetingTimeout: number;
  /** The longest silence. If it is too short, a message that a server takes long to scan is sent twice. */
  socketTimeout: number;
  /** The limit for a message as a whole, against a server that sends one byte at a time. */
  sendTimeout: number;
}

const defaults: SmtpTimings = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
  sendTimeout: 180_000,
};

/** Sends over SMTP through a small pool of connections: with TLS wherever the server has it, certificates verified. */
export function smtpTransport(smtpUrl: string, settings: MimeSettings, timings: Partial<SmtpTimings>): Transport {
  const { sendTimeout, ...timeouts } = { ...defaults, ...timings };
  const url = new URL(smtpUrl);
  // These options would write mail and its recipients to the log.
  for (const name of ['logger', 'debug', 'transactionLog']) url.searchParams.delete(name);
  const pool = openPool(url, timeouts);
  const redact = redactor(url);
  return {
    description: `the mail server ${url.host}`,
    delivers: true,
    async send(message) {
      try {
        await pool.sendMail({ ...buildMimeMessage(message, settings), signal: AbortSignal.timeout(sendTimeout) });
      } catch (error) {
        // A new error with nothing of the old one: that may hold the connection's options, and the password with them.
        throw new DeliveryError(redact(lastWords(error as SmtpError)), isRefusal(error as SmtpError));
      }
    },
    async close() {
      // The worker has waited for what could be finished.
      pool.transporter.close?.({ force: true });
    },
  };
}

function openPool(url: URL, timeouts: Omit<SmtpTimings, 'sendTimeout'>) {
  try {
    return createTransport({
      ...timeouts,
      pool: true,
      maxConnections: 5,
      // A connection the server has closed in the meantime is replaced, as long as nothing was sent over it.
      maxRequeues: 2,
      idleTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      // No attacker stands between us and our own machine, and a mail server there seldom has a certificate.
      tls: isLoopback(url) ? { rejectUnauthorized: false } : {},
      // Last, and so it wins: its query may set any of these.
      url: url.href,
    });
  } catch {
    // The error repeats the address and the password in it.
    throw new AppError('invalid', 'SMTP_URL is not an address that mail can be sent to.');
  }
}

function isLoopback({ hostname }: URL): boolean {
  return /^(localhost|127\.[\d.]+|\[::1\])$/i.test(hostname);
}

interface SmtpError extends Error {
  code?: string;
  command?: string;
  response?: string;
  responseCode?: number;
}

function lastWords({ code, response, message }: SmtpError): string {
  if (response) return response;
  if (code === 'EABORT') return 'Timeout: the server took too long over this message';
  // The most frequent mistake at first, which neither OpenSSL's words nor a server that waits for TLS explain.
  if (/wrong version number|packet length too long/.test(message)) {
    return 'The server does not begin with TLS on this port: SMTP_URL may have to be smtp://, which turns TLS on later';
  }
  if (/^Greeting never received/.test(message)) return `${message}: SMTP_URL may have to be smtps://`;
  return message;
}

/**
 * Whether the server refused this recipient or this message for good. Everything else may change: 4xx by definition, and
 * what is wrong with the connection, the sign-in or the sender is wrong for all mail until the operator puts it right.
 */
function isRefusal({ code, command, responseCode = 0 }: SmtpError): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  // An address that no server can be given.
  if (command === 'API') return true;
  if (command === 'MAIL FROM') return false;
  // 503: commands out of order; 530, 534, 535, 538: the server wants another sign-in, or TLS.
  return responseCode >= 500 && responseCode < 600 && ![503, 530, 534, 535, 538].includes(responseCode);
}

/** Takes the password out of what a server says, in each form that it was sent in. */
function redactor(url: URL): (text: string) => string {
  const [user, password] = [url.username, url.password].map(decoded) as [string, string];
  if (password === '') return (text) => text;
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const secrets = [base64(`\0${user}\0${password}`), base64(password), url.password, password];
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
