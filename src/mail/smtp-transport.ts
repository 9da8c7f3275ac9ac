import { AppError } from '../errors.ts';
import { buildMimeMessage, type MimeSettings } from './build-mime-message.ts';
import { DeliveryError } from './delivery-error.ts';
import { createTransport } from './nodemailer.ts';
import type { Transport } from './transport.ts';

/** The timeouts of the SMTP transport, in milliseconds. */
export interface SmtpTimings {
  connectionTimeout: number;
  /** The time from the connection to the server's greeting. Some servers delay it by several seconds to deter spammers. */
  greetingTimeout: number;
  /** The longest silence. If it is too short, a message that a server scans for long is sent twice. */
  socketTimeout: number;
  /** The limit for a whole message, in case a server sends one byte at a time. */
  sendTimeout: number;
}

const defaults: SmtpTimings = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 60_000,
  sendTimeout: 180_000,
};

/**
 * Returns a transport that sends over SMTP through a small pool of connections. It uses TLS if the server supports it, and
 * verifies certificates.
 */
export function smtpTransport(smtpUrl: string, settings: MimeSettings, timings: Partial<SmtpTimings>): Transport {
  const { sendTimeout, ...timeouts } = { ...defaults, ...timings };
  const url = new URL(smtpUrl);
  // Removes options that would write mail and its recipients to the log.
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
        // Throws a new error without a reference to the original one, which may contain the connection's options and the
        // password.
        throw new DeliveryError(redact(describeError(error as SmtpError)), isRefusal(error as SmtpError));
      }
    },
    async close() {
      // The worker has already waited for messages that could finish.
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
      // Replaces a connection that the server has closed, as long as nothing was sent over it.
      maxRequeues: 2,
      idleTimeout: 30_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      // Skips the verification for a mail server on the same machine: there can be no attacker in between, and it seldom has
      // a certificate.
      tls: isLoopback(url) ? { rejectUnauthorized: false } : {},
      // Comes last, so that the URL's query can override the options above.
      url: url.href,
    });
  } catch {
    // The original error repeats the address with its password.
    throw new AppError('invalid', 'SMTP_URL is not a valid address of a mail server.');
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

function describeError({ code, response, message }: SmtpError): string {
  if (response) return response;
  if (code === 'EABORT') return 'Timeout: the server took too long with this message';
  // The most frequent configuration mistake. Neither OpenSSL's message nor a server that waits for TLS explains it.
  if (/wrong version number|packet length too long/.test(message)) {
    return 'The server does not start with TLS on this port: SMTP_URL may have to begin with smtp://, which starts TLS later';
  }
  if (/^Greeting never received/.test(message)) return `${message}: SMTP_URL may have to begin with smtps://`;
  return message;
}

/**
 * Returns true if the server refused this recipient or this message for good. All other errors may pass: 4xx codes by
 * definition. Errors of the connection, the sign-in or the sender concern all mail until the operator corrects the
 * configuration.
 */
function isRefusal({ code, command, responseCode = 0 }: SmtpError): boolean {
  if (code !== 'EENVELOPE' && code !== 'EMESSAGE') return false;
  // The address cannot be sent to any server.
  if (command === 'API') return true;
  if (command === 'MAIL FROM') return false;
  // Excludes errors of the connection. 503: commands out of order; 530, 534, 535, 538: the server requires another sign-in,
  // or TLS.
  return responseCode >= 500 && responseCode < 600 && ![503, 530, 534, 535, 538].includes(responseCode);
}

/** Returns a function that removes the password from a server's response, in each form in which it was sent. */
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
