import { type Addresses, signInUrl } from '../addresses.ts';
import { escapeHtml } from '../html.ts';
import { archiveReady } from './archive-ready.ts';
import { confirmNewEmail } from './confirm-new-email.ts';
import { domainOutage } from './domain-outage.ts';
import type { Sender } from './email-template.ts';
import { forgottenPassword } from './forgotten-password.ts';
import { impersonationNotice } from './impersonation-notice.ts';
import { invitation } from './invitation.ts';
import { loginInstructions } from './login-instructions.ts';
import type { MailKind } from './mail-words.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL, renderPlaceholders, siteUrlPlaceholder } from './placeholders.ts';
import { securityNotice } from './security-notice.ts';
import { webhookPaused } from './webhook-paused.ts';

/** Replaces the token in links. It is not a valid token. */
const NO_TOKEN = 'example';

/** Returns an example message of a kind, as it would be sent to an invented customer. */
export function exampleMail(kind: MailKind, sender: Sender & { senderName: string }, addresses: Addresses): Message {
  const message = makers[kind]({ ...sender, ...person, token: NO_TOKEN });
  return {
    ...message,
    text: renderPlaceholders(message.text, NO_TOKEN, addresses),
    html: renderPlaceholders(message.html, NO_TOKEN, addresses, escapeHtml),
  };
}

const AT = Date.UTC(2026, 0, 15, 10, 30);

const person = { userName: 'Alex Baker', userEmail: 'alex@bakery.example', accountName: 'The Corner Bakery' };

type Example = Sender & typeof person & { senderName: string; token: string };

const makers: Readonly<Record<MailKind, (example: Example) => Message>> = {
  login_instructions: (example) =>
    loginInstructions({
      ...example,
      siteUrl: siteUrlPlaceholder('bakery'),
      signInUrl: signInUrl('bakery', { publicUrl: PUBLIC_URL }),
    }),
  invitation: (example) => invitation({ ...example, inviterName: 'Robin Miller' }),
  forgotten_password: forgottenPassword,
  confirm_email: (example) => confirmNewEmail({ ...example, email: 'alex@new.example' }),
  domain_outage: (example) => domainOutage({ ...example, host: 'www.bakery.example', found: ['203.0.113.7'] }),
  security_notice: (example) =>
    securityNotice({
      ...example,
      change: { kind: 'passkey added', name: 'Telephone' },
      ip: '203.0.113.7',
      at: AT,
    }),
  impersonation_notice: (example) =>
    impersonationNotice({
      ...example,
      agent: 'Robin Miller (Acme)',
      personName: example.userName,
      reason: 'The opening hours are wrong.',
      at: AT,
    }),
  webhook_paused: (example) =>
    webhookPaused({
      ...example,
      webhook: 'shop.bakery.example',
      problem: 'There was no answer within 15 seconds.',
    }),
  archive_ready: (example) => archiveReady({ ...example, bytes: 12_000_000 }),
};

/** Returns the HTML of a message in a fixed colour scheme, whatever the browser's setting. */
export function inScheme(html: string, scheme: 'light' | 'dark'): string {
  return html
    .replaceAll('color-scheme:light dark', `color-scheme:${scheme}`)
    .replace('@media (prefers-color-scheme:dark)', scheme === 'dark' ? '@media all' : '@media not all');
}
