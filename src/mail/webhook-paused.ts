import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface WebhookPaused extends Addressed {
  /** The host of the receiver. */
  webhook: string;
  /** The problem of the last attempt, as a sentence. */
  problem: string;
}

/** Returns the message that a webhook was paused because its receiver has failed for too long. */
export function webhookPaused({ webhook, problem, ...values }: WebhookPaused): Message {
  const to = withShortNames(values);
  return emailTemplate(to, {
    kind: 'webhook_paused',
    heading: 'A webhook is paused',
    values: { webhook },
    action: { label: 'See the webhook', path: '/settings/webhooks' },
    facts: [{ label: 'Last attempt', value: problem }],
    footer: `You get this message because you own the website ${to.accountName}.`,
  });
}
