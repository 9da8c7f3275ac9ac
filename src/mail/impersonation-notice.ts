import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface ImpersonationNotice extends Sender {
  userName: string;
  userEmail: string;
  accountName: string;
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
  const { userName, userEmail, accountName, agent, personName, reason } = withShortNames(values, [
    'userName',
    'accountName',
    'agent',
    'personName',
    'reason',
  ]);
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    heading: 'Somebody looks after your website',
    kind: 'impersonation_notice',
    values: { name: userName, site: accountName, agent, person: personName, reason },
    action: { label: 'See all such visits', path: '/settings/agency' },
    facts: [{ label: 'When', value: `${new Date(values.at).toISOString().slice(0, 16).replace('T', ' ')} UTC` }],
    footer: `You get this message because you own the website ${accountName}. In its settings you can turn these messages off, or forbid such visits.`,
  });
}
