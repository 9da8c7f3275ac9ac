import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface ImpersonationNotice extends Addressed {
  /** The name of the agency's user and of the agency: `Ana (Acme Agency)`. */
  agent: string;
  /** The name of the user as whom the agent has signed in. */
  personName: string;
  reason: string;
  /** The time of the sign-in, in milliseconds since 1970. */
  at: number;
}

/** Returns the message that tells an owner that a user of the agency has signed in as a user of the account, and why. */
export function impersonationNotice(values: ImpersonationNotice): Message {
  const to = withShortNames(values, ['agent', 'personName', 'reason']);
  return emailTemplate(to, {
    kind: 'impersonation_notice',
    heading: 'Somebody has signed in to your website',
    values: { agent: to.agent, person: to.personName, reason: to.reason },
    action: { label: 'See all sign-ins', path: '/settings/agency' },
    facts: [{ label: 'When', value: `${new Date(to.at).toISOString().slice(0, 16).replace('T', ' ')} UTC` }],
    footer: `You get this message because you own the website ${to.accountName}. In its settings you can turn off these messages, or forbid such sign-ins.`,
  });
}
