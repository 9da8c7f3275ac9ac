import type { SendMailOptions } from 'nodemailer';
import { oneLine } from './one-line.ts';
import { type OutboxRow, SECRET } from './outbox.ts';

/**
 * The message for nodemailer. Names and addresses go apart, as objects: joined in one text, a name could smuggle in
 * another recipient.
 */
export function compose(message: OutboxRow, mailFrom: string): SendMailOptions {
  const withSecret = (text: string) => (message.secret === null ? text : text.replaceAll(SECRET, message.secret));
  return {
    messageId: message.message_id,
    // When it was written, not when it got through: a message sent twice is then the same message.
    date: new Date(message.created_at),
    from: { name: oneLine(message.from_name), address: mailFrom },
    to: { name: oneLine(message.to_name), address: message.to_email },
    envelope: {
      from: { name: '', address: mailFrom },
      to: { name: '', address: message.to_email },
    },
    subject: oneLine(message.subject),
    text: withSecret(message.text),
    html: withSecret(message.html),
    // So that nobody's out-of-office reply answers a machine: RFC 3834, and Exchange's own word for it.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    // Text that looks like a path or an address stays text.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
