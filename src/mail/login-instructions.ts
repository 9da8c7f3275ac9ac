import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

export interface LoginInstructions extends Sender {
  userName: string;
  userEmail: string;
  accountName: string;
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
  const { userName, userEmail, accountName, senderName, siteUrl, signInUrl, token } = withShortNames(values, [
    'userName',
    'accountName',
    'senderName',
  ]);
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: senderName,
    toName: userName,
    toEmail: userEmail,
    heading: 'Your website is ready',
    kind: 'login_instructions',
    values: { name: userName, site: accountName, sender: senderName, email: userEmail },
    action: { label: 'Choose your password', path: `/reset-password#token=${TOKEN}` },
    facts: [
      { label: 'Your e-mail address', value: userEmail },
      { label: 'Where you sign in', value: signInUrl, isAddress: true },
      { label: 'Your website', value: siteUrl, isAddress: true },
    ],
    footer: `You get this message because ${senderName} gave us your address for ${accountName}. If you did not expect it, you can ignore it.`,
    secret: token,
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
