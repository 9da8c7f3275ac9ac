import { emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

export interface LoginInstructions {
  userName: string;
  userEmail: string;
  accountName: string;
  /** The account under which the customer was created. */
  senderName: string;
  siteUrl: string;
  signInUrl: string;
}

/** The message that tells a new customer's admin user where to sign in. It never has the password. */
export function loginInstructions(values: LoginInstructions): Message {
  const { userName, userEmail, accountName, senderName, siteUrl, signInUrl } = withShortNames(values, [
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
      `${senderName} has set up the website ${accountName} for you. Sign in to look after it.`,
      // Programs choose passwords, too, and tell them to nobody.
      'If nobody has told you the password, choose “Forgotten your password?” where you sign in.',
    ],
    action: { label: 'Sign in', url: signInUrl },
    facts: [
      { label: 'E-mail', value: userEmail },
      { label: 'Password', value: 'the one that was chosen when the website was set up' },
      { label: 'Your website', value: siteUrl, isAddress: true },
    ],
    footer: `You get this message because ${senderName} named you as the administrator of ${accountName}. If you did not expect it, ask them about it, or leave it be.`,
  });
}
