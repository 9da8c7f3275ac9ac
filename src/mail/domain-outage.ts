import { emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface DomainOutage {
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
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    subject: `${host} does not lead to your website any more`,
    heading: 'Your domain leads elsewhere',
    paragraphs: [
      found.length === 0
        ? `We look from time to time whether visitors of ${host} still come to your website ${accountName}. Now the name leads nowhere.`
        : `We look from time to time whether visitors of ${host} still come to your website ${accountName}. Now they are sent to another place.`,
      'If you have changed that yourself, there is nothing to do. If not, look at your domain provider whether the domain is still yours and paid for, and whether its DNS entries are what they were. The settings of your website show you which entries it needs.',
      'We go on looking. You get this message once, and not again before the domain has led to your website in between.',
    ],
    action: { label: 'See the entries', url: `${PUBLIC_URL}/settings/domains` },
    facts: found.length === 0 ? [] : [{ label: 'Where it leads now', value: found.join(', ') }],
    footer: `You get this message because you look after the website ${accountName}.`,
  });
}
