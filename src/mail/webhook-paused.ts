import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface WebhookPaused extends Sender {
  userName: string;
  userEmail: string;
  accountName: string;
  /** The host of the receiver. */
  webhook: string;
  /** What the last attempt met, as a sentence. */
  problem: string;
}

/** Returns the message that a receiver of events has failed for so long that nothing more is sent there. */
export function webhookPaused(values: WebhookPaused): Message {
  const { userName, userEmail, accountName, webhook, problem } = withShortNames(values, ['userName', 'accountName']);
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    heading: 'A webhook is paused',
    kind: 'webhook_paused',
    values: { name: userName, site: accountName, webhook },
    action: { label: 'See the webhook', path: '/settings/webhooks' },
    facts: [{ label: 'The last attempt', value: problem }],
    footer: `You get this message because you own the website ${accountName}.`,
  });
}
