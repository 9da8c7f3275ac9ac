import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

export interface LoginInstructions extends Addressed {
  /** The name of the customer's seller, or of its brand. */
  senderName: string;
  siteUrl: string;
  signInUrl: string;
  /** The token of the link by which the user chooses a password. */
  token: string;
}

/**
 * Returns the message that tells a new customer's first user how to sign in: by a link for choosing a password, or with the
 * password that the API client set. The message never contains that password.
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

/** The subject of login instructions from the time before messages had a kind and customisable words. */
const FORMER_SUBJECT = /^Your website .* is ready$/s;

/** Returns true if a stored message contains login instructions. */
export function isLoginInstructions({
  kind,
  subject,
}: {
  readonly kind: string | null;
  readonly subject: string;
}): boolean {
  return kind === null ? FORMER_SUBJECT.test(subject) : kind === 'login_instructions';
}
