import { type Addresses, signInUrl } from '../addresses.ts';
import { escapeHtml } from '../html.ts';
import type { Sender } from './email-template.ts';
import { loginInstructions } from './login-instructions.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL, renderPlaceholders, siteUrlPlaceholder } from './placeholders.ts';

/** Stands where a link has its token. It opens nothing. */
const NO_TOKEN = 'example';

/** Returns the login instructions that an invented customer would get, as they would be sent. */
export function exampleInstructions(sender: Sender & { senderName: string }, addresses: Addresses): Message {
  const message = loginInstructions({
    ...sender,
    userName: 'Alex Baker',
    userEmail: 'alex@bakery.example',
    accountName: 'The Corner Bakery',
    siteUrl: siteUrlPlaceholder('bakery'),
    signInUrl: signInUrl('bakery', { publicUrl: PUBLIC_URL }),
    token: NO_TOKEN,
  });
  return {
    ...message,
    text: renderPlaceholders(message.text, NO_TOKEN, addresses),
    html: renderPlaceholders(message.html, NO_TOKEN, addresses, escapeHtml),
  };
}

/** Returns the HTML of a message as programs show it that are set to light or dark, whatever the browser is set to. */
export function inScheme(html: string, scheme: 'light' | 'dark'): string {
  return html
    .replaceAll('color-scheme:light dark', `color-scheme:${scheme}`)
    .replace('@media (prefers-color-scheme:dark)', scheme === 'dark' ? '@media all' : '@media not all');
}
