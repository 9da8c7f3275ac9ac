import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

export interface LoginInstructions extends Addressed {
  /** The name of the account under which the customer was created, or of its brand. */
  senderName: string;
  siteUrl: string;
  signInUrl: string;
  /** The token of the link by which the user chooses a password. */
  token: string;
}

/**
 * Returns the message that tells a new customer's admin user how to sign in: by a link for choosing a password, or with the
 * password that the program sent, which it never contains.
 */
export function loginInstructions(values: LoginInstructions): Message {
  const to = withShortNames(values, ['senderName']);
  const { userEmail: email, accountName, senderName, siteUrl, signInUrl } = to;
  return emailTemplate(to, {
    kind: 'login_instructions',
    fromName: senderName,
    heading: 'Your website is ready',
    values: { sender: senderName, email },
    action: { label: 'Choose your password', path: `/reset-password#token=${TOKEN}` },
    facts: [
      { label: 'Your e-mail address', value: email },
      { label: 'Where you sign in', value: signInUrl, isAddress: true },
      { label: 'Your website', value: siteUrl, isAddress: true },
    ],
    footer: `You get this message because ${senderName} gave us your address for ${accountName}. If you did not expect it, you can ignore it.`,
    secret: values.token,
  });
}

/** The subject before messages had a kind, and words could be changed. */
const FORMER_SUBJECT = /^Your website .* is ready$/s;

/** Tells whether a stored message is one of these. */
export function isLoginInstructions({
  kind,
  subject,
}: {
  readonly kind: string | null;
  readonly subject: string;
}): boolean {
  return kind === null ? FORMER_SUBJECT.test(subject) : kind === 'login_instructions';
}
