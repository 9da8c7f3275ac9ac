/** The kinds of messages. An agency can change their words for its customers. */
export const mailKinds = [
  'login_instructions',
  'invitation',
  'forgotten_password',
  'confirm_email',
  'domain_outage',
  'security_notice',
  'impersonation_notice',
  'webhook_paused',
  'archive_ready',
] as const;
export type MailKind = (typeof mailKinds)[number];

/**
 * The words of a kind of message: its subject on one line, and its text, with empty lines between paragraphs. `{link}`
 * stands for the button. Facts and the reason for the message follow the text.
 */
export interface MailWords {
  readonly subject: string;
  readonly text: string;
}

interface Placeholders {
  /** The placeholders that the text must contain: without them, the message would be useless. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

/** The placeholders of each kind. The subject may contain only the optional ones. */
export const placeholdersOf: Readonly<Record<MailKind, Placeholders>> = {
  login_instructions: { required: ['link'], optional: ['name', 'site', 'sender', 'email'] },
  invitation: { required: ['link'], optional: ['name', 'site', 'inviter'] },
  forgotten_password: { required: ['link'], optional: ['name', 'site'] },
  confirm_email: { required: ['link'], optional: ['name', 'site', 'email'] },
  domain_outage: { required: ['link'], optional: ['name', 'site', 'domain', 'problem'] },
  security_notice: { required: ['change', 'link'], optional: ['name', 'site', 'event', 'advice'] },
  impersonation_notice: { required: ['person', 'reason', 'link'], optional: ['name', 'site', 'agent'] },
  webhook_paused: { required: ['link'], optional: ['name', 'site', 'webhook'] },
  archive_ready: { required: ['link'], optional: ['name', 'site'] },
};

/** The words that are sent unless an agency has chosen its own. */
export const defaultWords: Readonly<Record<MailKind, MailWords>> = {
  login_instructions: {
    subject: 'Your website {site} is ready',
    text: `Hello {name},

{sender} has set up a website for you: {site}. Choose a password, and you can start writing.

The link works once, within the next 7 days. If it is too late, use “Forgotten your password?” on the sign-in page. If somebody has already given you a password, sign in with that.

{link}`,
  },
  invitation: {
    subject: '{inviter} has invited you to {site}',
    text: `Hello {name},

{inviter} has invited you to the website {site}.

Choose a password, and you are in. The link works once, within the next 7 days.

{link}`,
  },
  forgotten_password: {
    subject: 'Choose a new password for {site}',
    text: `Hello {name},

Somebody has asked for a new password for the website {site}. If that was you, choose it now.

The link works once, within the next 30 minutes.

{link}`,
  },
  confirm_email: {
    subject: 'Confirm your new address for {site}',
    text: `Hello {name},

You have asked to sign in to the website {site} with this address from now on. Please confirm that it is yours.

The link works once, within the next 30 minutes. Until you open it, you sign in with your old address.

{link}`,
  },
  domain_outage: {
    subject: '{domain} no longer leads to your website',
    text: `Hello {name},

Visitors who enter {domain} no longer reach your website {site}: {problem}.

If you changed this yourself, there is nothing to do. If not, ask your domain provider whether the domain is still yours and paid for, and whether its DNS records have changed. The settings of your website show which records it needs.

We keep checking, and write again only if the domain works again and then fails again.

{link}`,
  },
  webhook_paused: {
    subject: 'A webhook of {site} is paused',
    text: `Hello {name},

The events of your website {site} are sent to a program at {webhook}. This has failed for so long that we have paused it.

Nothing is lost: once the program works again, resume the webhook in the settings, and it gets all events since then.

{link}`,
  },
  archive_ready: {
    subject: 'The archive of {site} is ready',
    text: `Hello {name},

You have asked for the archive of the website {site}. It is ready, with pages, earlier versions and drafts, images, people and settings.

Download it within 7 days, and keep it where only you can read it.

{link}`,
  },
  security_notice: {
    subject: '{event}: {site}',
    text: `Hello {name},

{change}

If that was you, there is nothing to do. If not, {advice}

{link}`,
  },
  impersonation_notice: {
    subject: '{agent} has signed in to {site}',
    text: `Hello {name},

{agent} has signed in to {site} as {person}, for 15 minutes at most.

Reason: {reason}

They cannot see or change passwords, second factors, keys or people. What they change is marked with their name.

{link}`,
  },
};

/** Returns the placeholders in a text, each once. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(PLACEHOLDER)].map(([, name]) => name!))];
}

/** Replaces placeholders by their values. Placeholders inside a value are not replaced. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(PLACEHOLDER, (all, name: string) => (Object.hasOwn(values, name) ? values[name]! : all));
}

/** Matches any text in braces on one line, so that misspelt placeholders are found as well. */
const PLACEHOLDER = /\{([^{}\n]*)\}/g;
