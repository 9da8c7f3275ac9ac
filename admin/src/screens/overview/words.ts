import type { AttentionKind } from '../../contract.ts';
import { money } from '../../money.ts';
import { strings } from '../../strings.ts';

/* The texts of the overview, which are loaded with the screen rather than with the app. */

const months = new Intl.DateTimeFormat(strings.locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });

export const number = (count: number) => count.toLocaleString(strings.locale);
export const amount = money;

/** Formats a change with its sign. No change has none. */
export function signed(change: number, write: (value: number) => string): string {
  const text = write(Math.abs(change));
  return text === write(0) ? text : `${change < 0 ? '−' : '+'}${text}`;
}

/** Formats the month of a day `YYYY-MM-DD`. */
export const monthName = (day: string) => months.format(new Date(day));

interface AttentionWords {
  readonly title: (count: number) => string;
  /** How to solve the problem. */
  readonly text: string;
  /** The text of the link to all items. */
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
    text: 'For a week or longer. The link in their instructions has expired: send it again, or give them a call.',
    all: toCustomers,
  },
  domains_failing: {
    title: (count) =>
      count === 1
        ? '1 customer has a domain that does not work'
        : `${number(count)} customers have domains that do not work`,
    text: 'A domain is not verified, or no longer leads here. The person who manages it has to correct its DNS records.',
    all: toCustomers,
  },
  at_limit: {
    title: (count) =>
      count === 1 ? '1 customer is at a limit of its plan' : `${number(count)} customers are at a limit of their plans`,
    text: 'They cannot add more until you put them on a larger plan. This count is at most an hour old.',
    all: toCustomers,
  },
  changes_failed: {
    title: (count) =>
      count === 1
        ? '1 scheduled change of plan could not be made'
        : `${number(count)} scheduled changes of plan could not be made`,
    text: 'The customer’s page says why. Change the plan again there, or keep the current plan.',
    all: toCustomers,
  },
  own_domains_failing: {
    title: (count) =>
      count === 1 ? '1 domain of your own does not work' : `${number(count)} domains of your own do not work`,
    text: 'A domain is not verified, or no longer leads here. The settings say which records are missing.',
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
  text: 'What needs your attention, and how your business is doing: all your customers together, as of now.',
  attentionTitle: 'What needs your attention',
  attention,
  others: (count: number) => (count === 1 ? '1 other' : `${number(count)} others`),
  nothing: 'Nothing needs your attention.',
  nothingText: 'Login instructions, first sign-ins, changes of plan, domains and API keys are all in order.',
  mailKept: 'Messages to your customers are not sent',
  /** `agency` is null for a top-level account, whose users run the installation or know who does. */
  mailKeptText: (agency: string | null) =>
    agency === null
      ? `No mail server is set up: messages are written to files, and nobody receives them. ${strings.setUpMail}`
      : `Nobody receives them at the moment. Ask ${agency}.`,
  businessTitle: 'How your business is doing',
  mrr: 'Monthly revenue (MRR)',
  active: 'Active customers',
  gained: 'Paying customers gained',
  lost: 'Paying customers lost',
  ofThemBack: (count: number) => (count === 1 ? '1 of them came back' : `${number(count)} of them came back`),
  sites: 'Websites online',
  sitesText: 'Including your own',
  lastDays: 'In 30 days',
  inDays: (change: string) => `${change} in 30 days`,
  inMonth: (revenue: string, month: string) => `${revenue} in ${month}`,
  chart: (first: string, last: string) => `The revenue a month over twelve months: from ${first} to ${last}.`,
  toRevenue: 'What changed your revenue',
  steps: {
    title: 'Your first customer, in three steps',
    done: 'Done',
    plan: {
      name: 'Make a plan',
      text: 'Say what a website costs your customers, and what they get.',
      link: 'Make a plan',
      linkDone: 'Your plans',
    },
    customer: {
      name: 'Create a customer',
      text: 'Their website is there at once. The person who looks after it is mailed a link to sign in.',
      link: 'Create a customer',
    },
    brand: {
      text: 'Until you have a brand, your customers see the name of this software where they sign in.',
      link: 'Choose your name, colour and logo',
    },
    signIn: {
      name: 'See them sign in',
      text: 'The customer’s page shows whether the message was sent, the link was opened, and somebody has signed in.',
      link: 'Show the customers',
    },
  },
};

/** Splits a list into its items and the words between them. */
export const listParts = (items: readonly string[]) =>
  new Intl.ListFormat(strings.locale, { type: 'conjunction' }).formatToParts(items);
