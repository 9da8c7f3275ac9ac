import { emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL, TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

export interface LoginInstructions {
  userName: string;
  userEmail: string;
  accountName: string;
  /** The account under which the customer was created. */
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
    fromName: senderName,
    toName: userName,
    toEmail: userEmail,
    subject: `Your website ${accountName} is ready`,
    heading: 'Your website is ready',
    paragraphs: [
      `${senderName} has set up the website ${accountName} for you. Choose a password, and you can start to write.`,
      'The link works once, for 7 days. After that, choose “Forgotten your password?” where you sign in. If you have been told a password already, you can sign in with that one.',
    ],
    action: { label: 'Choose your password', url: `${PUBLIC_URL}/reset-password#token=${TOKEN}` },
    facts: [
      { label: 'Your e-mail address', value: userEmail },
      { label: 'Where you sign in', value: signInUrl, isAddress: true },
      { label: 'Your website', value: siteUrl, isAddress: true },
    ],
    footer: `You get this message because ${senderName} named you as the administrator of ${accountName}. If you did not expect it, ask them about it, or leave it be.`,
    secret: token,
  });
}
