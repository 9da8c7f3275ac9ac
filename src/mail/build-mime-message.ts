import type { Addresses } from '../addresses.ts';
import { escapeHtml } from '../html.ts';
import { MimeNode, quotedPrintable } from './nodemailer.ts';
import { oneLine } from './one-line.ts';
import type { OutboxRow } from './outbox.ts';
import { renderPlaceholders } from './placeholders.ts';
import { isPlainAddress } from './plain-address.ts';

/** The configuration for building a message when it is sent. */
export interface MimeSettings extends Addresses {
  mailFrom: string;
}

/** A mail address with a name. It is an object because a string could be parsed as several addresses. */
interface Address {
  name: string;
  address: string;
}

/** A message in the form in which it is sent. */
interface MimeMessage {
  /** The sender and recipient for mail servers, independent of the headers. */
  envelope: { from: Address; to: Address };
  /** Headers and body, with CRLF line ends. With quoted-printable, no line is longer than SMTP allows. */
  raw: Buffer;
}

/**
 * How the bodies are encoded: as short ASCII lines for mail servers, and unencoded for files, so that a person can read them
 * and copy their links.
 */
type Encoding = 'quoted-printable' | '8bit';

/**
 * Composes the message with text and HTML as alternatives (RFC 2046). The same message always gives the same bytes. Uses
 * parts of nodemailer rather than all of it: its streams are made for attachments of any size, and take longer than all
 * other work for a message. Passes names and addresses as objects: in one string, a name could inject another recipient.
 */
export function buildMimeMessage(
  message: OutboxRow,
  { mailFrom, ...addresses }: MimeSettings,
  encoding: Encoding = 'quoted-printable',
): MimeMessage {
  const { secret } = message;
  // Cannot occur in a body. In quoted-printable text, `=` comes only before two hexadecimal digits or at the end of a line.
  // In unencoded text, nobody who could write the boundary knows the id.
  const boundary = `=_${message.message_id.replace(/[^\w-]/g, '').slice(0, 36)}`;
  const headers = new MimeNode(`multipart/alternative; boundary="${boundary}"`)
    .setHeader({
      // Suppresses automatic replies, by RFC 3834 and by Exchange's own header.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Message-ID': message.message_id,
      // The time of writing, not of sending, so that a message that is sent twice stays the same.
      Date: new Date(message.created_at).toUTCString().replace('GMT', '+0000'),
      Subject: headerText(message.subject),
    })
    .setHeader('From', { name: headerText(message.from_name), address: mailFrom })
    .setHeader('To', { name: headerText(message.to_name), address: message.to_email });
  if (message.reply_to !== null && isPlainAddress(message.reply_to)) {
    headers.setHeader('Reply-To', { name: '', address: message.reply_to });
  }
  const parts = [
    part('plain', renderPlaceholders(message.text, secret, addresses), encoding),
    part('html', renderPlaceholders(message.html, secret, addresses, escapeHtml), encoding),
  ].map((text) => `--${boundary}\r\n${text}`);
  const raw = Buffer.from(`${headers.buildHeaders()}\r\n\r\n${parts.join('')}--${boundary}--\r\n`);
  return { envelope: { from: { name: '', address: mailFrom }, to: { name: '', address: message.to_email } }, raw };
}

/**
 * Returns the text as a header may contain it. Mail programs decode encoded words, which begin with `=?`, anywhere in a
 * header. They could bring back line breaks and characters that reverse the text after them.
 */
function headerText(text: string): string {
  return oneLine(text).replaceAll('=?', '=\u200b?');
}

function part(subtype: 'plain' | 'html', text: string, encoding: Encoding): string {
  const lines = text.replace(/\r\n?|\n/g, '\r\n');
  const body = encoding === '8bit' ? lines : quotedPrintable.wrap(quotedPrintable.encode(lines));
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`;
}
