import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface DomainOutage extends Sender {
  userName: string;
  userEmail: string;
  accountName: string;
  host: string;
  /** The addresses to which visitors come instead; none if the name leads nowhere. */
  found: readonly string[];
}

/** Returns the message that a domain of the account has stopped leading to its website. */
export function domainOutage(values: DomainOutage): Message {
  const { userName, userEmail, accountName, host, found } = withShortNames(values, ['userName', 'accountName']);
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    subject: `${host} does not lead to your website any more`,
    heading: 'Your domain does not lead to your website',
    paragraphs: [
      found.length === 0
        ? `Visitors who enter ${host} do not reach your website ${accountName} any more: the name leads nowhere.`
        : `Visitors who enter ${host} do not reach your website ${accountName} any more: they end up somewhere else.`,
      'If you have changed this yourself, all is well. If not, ask your domain provider whether the domain is still yours and paid for, and whether its DNS entries have changed. The settings of your website show which entries it needs.',
      'We keep checking. You hear from us again only if the domain comes back and is lost once more.',
    ],
    action: { label: 'See the entries', path: '/settings/domains' },
    facts: found.length === 0 ? [] : [{ label: 'Where it leads now', value: found.join(', ') }],
    footer: `You get this message because you manage the website ${accountName}.`,
  });
}
