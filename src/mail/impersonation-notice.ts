import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface ImpersonationNotice extends Addressed {
  /** `Ana (Acme Agency)` */
  agent: string;
  /** The person of the account as whom they are signed in. */
  personName: string;
  reason: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** Tells an owner that somebody of the agency has signed in as a person of the account, and why. */
export function impersonationNotice(values: ImpersonationNotice): Message {
  const to = withShortNames(values, ['agent', 'personName', 'reason']);
  return emailTemplate(to, {
    kind: 'impersonation_notice',
    heading: 'Somebody looks after your website',
    values: { agent: to.agent, person: to.personName, reason: to.reason },
    action: { label: 'See all such visits', path: '/settings/agency' },
    facts: [{ label: 'When', value: `${new Date(to.at).toISOString().slice(0, 16).replace('T', ' ')} UTC` }],
    footer: `You get this message because you own the website ${to.accountName}. In its settings you can turn these messages off, or forbid such visits.`,
  });
}
