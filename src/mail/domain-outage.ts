import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface DomainOutage extends Addressed {
  host: string;
  /** The IP addresses that the domain leads to now; empty if it leads nowhere. */
  found: readonly string[];
}

/** Returns the message that a domain of the account no longer leads to its website. */
export function domainOutage({ host, found, ...values }: DomainOutage): Message {
  const to = withShortNames(values);
  const problem = found.length === 0 ? 'the domain has no addresses in the DNS' : 'the domain leads to other addresses';
  return emailTemplate(to, {
    kind: 'domain_outage',
    heading: 'Your domain does not lead to your website',
    values: { domain: host, problem },
    action: { label: 'See the DNS records', path: '/settings/domains' },
    facts: found.length === 0 ? [] : [{ label: 'Addresses in the DNS', value: found.join(', ') }],
    footer: `You get this message because you manage the website ${to.accountName}.`,
  });
}
