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
  const problem = found.length === 0 ? 'the name leads nowhere' : 'they end up somewhere else';
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    heading: 'Your domain does not lead to your website',
    kind: 'domain_outage',
    values: { name: userName, site: accountName, domain: host, problem },
    action: { label: 'See the entries', path: '/settings/domains' },
    facts: found.length === 0 ? [] : [{ label: 'Where it leads now', value: found.join(', ') }],
    footer: `You get this message because you manage the website ${accountName}.`,
  });
}
