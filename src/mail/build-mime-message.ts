import type { Addresses } from '../addresses.ts';
import { escapeHtml } from '../html.ts';
import { MimeNode, quotedPrintable } from './nodemailer.ts';
import { oneLine } from './one-line.ts';
import type { OutboxRow } from './outbox.ts';
import { renderPlaceholders } from './placeholders.ts';
import { isPlainAddress } from './plain-address.ts';

/** The configuration that a message needs when it is sent. */
export interface MimeSettings extends Addresses {
  mailFrom: string;
}

/** An object, since a string could be parsed as several addresses. */
interface Address {
  name: string;
  address: string;
}

/** A message as it goes out. */
interface MimeMessage {
  /** The sender and recipient for the mail servers, independent of the headers. */
  envelope: { from: Address; to: Address };
  /** Headers and body, with CRLF at the end of each line. As quoted-printable, no line is longer than SMTP allows. */
  raw: Buffer;
}

/**
 * How the texts are written: for mail servers in short lines of ASCII, for a file as they are, so that a person who prints it can
 * read it and copy its links.
 */
type Encoding = 'quoted-printable' | '8bit';

/**
 * Composes the message: text and HTML as alternatives (RFC 2046), the same bytes for the same message. By nodemailer's
 * parts rather than the whole of it, whose streams are made for attachments of any size and take longer than all else
 * that is done for a message. Names and addresses go apart, as objects: joined in one text, a name could smuggle in
 * another recipient.
 */
export function buildMimeMessage(
  message: OutboxRow,
  { mailFrom, ...addresses }: MimeSettings,
  encoding: Encoding = 'quoted-printable',
): MimeMessage {
  const { secret } = message;
  // Cannot be in a body: there `=` stands before the two digits of a character or at the end of a line, and nobody who could write it as
  // it is knows the id.
  const boundary = `=_${message.message_id.replace(/[^\w-]/g, '').slice(0, 36)}`;
  const headers = new MimeNode(`multipart/alternative; boundary="${boundary}"`)
    .setHeader({
      // Suppresses automatic replies: RFC 3834, and Exchange's own header.
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      'Message-ID': message.message_id,
      // The time of writing, not of sending: a message that is sent twice is then the same message.
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
 * Returns the text as a header shows it. `=?` begins characters in code, which mail programs decode wherever it stands: line breaks and
 * the reversal of our own words could come back that way.
 */
function headerText(text: string): string {
  return oneLine(text).replaceAll('=?', '=\u200b?');
}

function part(subtype: 'plain' | 'html', text: string, encoding: Encoding): string {
  const lines = text.replace(/\r\n?|\n/g, '\r\n');
  const body = encoding === '8bit' ? lines : quotedPrintable.wrap(quotedPrintable.encode(lines));
  return `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${body}\r\n`;
}
