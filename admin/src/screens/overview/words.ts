import type { AttentionKind } from '../../contract.ts';
import { strings } from '../../strings.ts';

/* What the overview says. It is loaded with the screen, not with the app. */

const number = (count: number) => count.toLocaleString(strings.locale);

interface AttentionWords {
  readonly title: (count: number) => string;
  /** What to do about it. */
  readonly text: string;
  /** Leads to all of them. */
  readonly all: string;
}

const toCustomers = 'Show these customers';

const attention: Record<AttentionKind, AttentionWords> = {
  mail_failed: {
    title: (count) =>
      count === 1
        ? '1 customer did not get the login instructions'
        : `${number(count)} customers did not get their login instructions`,
    text: 'The message could not be sent. Correct the address, or send it again.',
    all: toCustomers,
  },
  never_signed_in: {
    title: (count) =>
      count === 1 ? '1 customer has never signed in' : `${number(count)} customers have never signed in`,
    text: 'For a week or longer. The link in their instructions does not work any more: send them again, or give them a call.',
    all: toCustomers,
  },
  domains_failing: {
    title: (count) =>
      count === 1
        ? '1 customer has a domain that does not work'
        : `${number(count)} customers have domains that do not work`,
    text: 'A domain is not verified, or visitors do not come here any more. Whoever manages it has to correct its records.',
    all: toCustomers,
  },
  own_domains_failing: {
    title: (count) =>
      count === 1 ? '1 domain of your own does not work' : `${number(count)} domains of your own do not work`,
    text: 'A domain is not verified, or visitors do not come here any more. The settings say which records are missing.',
    all: 'Go to your domains',
  },
  keys_expiring: {
    title: (count) => (count === 1 ? '1 API key expires soon' : `${number(count)} API keys expire soon`),
    text: 'Within 14 days. Replace the key, and give the new one to the program that uses it.',
    all: 'Go to your API keys',
  },
};

export const words = {
  title: strings.frame.overview,
  attentionTitle: 'What needs you today',
  attention,
  others: (count: number) => (count === 1 ? '1 other' : `${number(count)} others`),
  nothing: 'Nothing needs you today.',
  nothingText:
    'All login instructions have been sent, every customer has signed in within a week, domains work, and no API key expires soon.',
};

/** Splits a list into its items and the words between them. */
export const listParts = (items: readonly string[]) =>
  new Intl.ListFormat(strings.locale, { type: 'conjunction' }).formatToParts(items);
