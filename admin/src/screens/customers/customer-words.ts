import type { CustomerDetailsJson, CustomerJson } from '../../contract.ts';
import { strings } from '../../strings.ts';

const { plan } = strings.customers;
type Change = CustomerDetailsJson['history'][number];

/** The texts of a customer's screen, which are loaded with it. */
export const words = {
  back: 'All customers',
  suspended: strings.customers.suspended,
  suspendedText: 'Its website and its keys do not work, and its people cannot sign in.',
  since: (date: string) => `Customer since ${date}`,
  planSince: (customer: CustomerJson, date: string | undefined) =>
    date === undefined ? plan(customer.plan) : `${plan(customer.plan)}, since ${date}`,

  trial: (date: string) => `In its trial. It pays from ${date}.`,

  login: {
    title: 'Login instructions',
    queued: 'Queued',
    sent: 'Sent',
    failed: 'Not sent',
    kept: 'Kept in a file',
    opened: 'Link opened',
    signedIn: 'Signed in',
    texts: {
      none: (to: string) => `There is no message to ${to} here.`,
      queued: (to: string) => `The message to ${to} is about to be sent.`,
      retrying: (to: string) => `The message to ${to} could not be sent yet. We keep trying.`,
      sent: (to: string, until: string) =>
        `The mail server has accepted the message to ${to}. The link in it works once, until ${until}.`,
      expired: (to: string) =>
        `The message to ${to} was sent, but the link in it no longer works. Send the message again.`,
      kept: (to: string, _until: string, agency: string | null) =>
        agency === null
          ? `The message to ${to} was written to a file, because no mail server is set up. ${strings.setUpMail}`
          : `The message to ${to} cannot be sent at the moment. Ask ${agency}.`,
      failed: (to: string) =>
        `The message to ${to} was not sent. If the address is wrong, correct it. Otherwise, send the message again.`,
      signedIn: (to: string) => `The person at ${to} has signed in.`,
    },
    serverSaid: 'The mail server said:',
    again: 'Send again',
    correct: 'Correct the address',
    onItsWay: (email: string) => `The login instructions are on their way to ${email}. Earlier links no longer work.`,
  },
  resend: {
    title: 'Correct the address',
    text: 'We send the login instructions to the new address. The earlier link stops working.',
    email: 'E-mail address',
    submit: 'Send',
  },

  picture: (name: string) => `The website of ${name}`,
  openSite: (name: string) => `Open the website of ${name}`,
  noPicture: {
    deleted: 'The website is offline: the customer is deleted.',
    suspended: 'The website is offline: the customer is suspended.',
    unpublished: 'Nothing is published yet. Visitors read “coming soon”.',
  },

  people: 'People',
  roles: strings.settings.people.roles,
  lastSeen: (when: string) => `Last seen ${when}`,
  notLately: 'Not seen lately',
  notYet: 'Has not signed in yet',

  notes: {
    title: 'Notes',
    text: 'For the people of your agency only. The customer never sees them.',
    none: 'No notes yet.',
    new: 'New note',
    add: 'Add note',
    label: 'Note',
    by: (name: string, when: string) => `${name}, ${when}`,
    changedBy: (name: string, when: string) => `. Changed by ${name}, ${when}`,
    edit: 'Edit',
    save: 'Save',
    delete: 'Delete',
    changed: 'The note is changed.',
    deleted: 'The note is deleted.',
  },

  mail: 'Mail',
  noMail: 'No messages.',
  mailStates: { queued: 'Queued', sent: 'Sent', kept: 'Kept in a file', failed: 'Not sent' },
  mailTo: (to: string, when: string) => `To ${to}, ${when}`,

  readMessage: 'Read',
  readMessageOf: (subject: string) => `Read “${subject}”`,
  messageMasked: (to: string) =>
    `As it was sent to ${to}. The end of the link is hidden, because only this person may use it.`,

  log: 'Log',
  noLog: 'Nothing has been done with this customer yet.',

  domains: 'Domains',
  noDomains: 'No domain of its own.',
  verified: 'Verified',
  unverified: 'Not verified yet',

  history: 'Plan history',
  change: ({ kind, from, to, isTrial }: Change): string => {
    if (kind === 'suspended') return 'Suspended';
    if (kind === 'restored') return 'Suspension ended';
    if (!to) return 'Left';
    if (kind === 'trial_ended') return `Trial ended: pays for ${plan(to)}`;
    const change = from ? `Moved from ${plan(from)} to ${plan(to)}` : `Began with ${plan(to)}`;
    return isTrial ? `${change}, in the trial` : change;
  },
};
