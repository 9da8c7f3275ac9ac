import { emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL, TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface Invitation {
  userName: string;
  userEmail: string;
  accountName: string;
  /** The name of the inviting user. */
  inviterName: string;
  token: string;
}

/** The message that brings a new user of an account to their first sign-in. */
export function invitation(values: Invitation): Message {
  const { userName, userEmail, accountName, inviterName, token } = withShortNames(values, [
    'userName',
    'accountName',
    'inviterName',
  ]);
  return emailTemplate({
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    subject: `You are invited to look after ${accountName}`,
    heading: 'You are invited',
    paragraphs: [
      `${inviterName} invites you to look after the website ${accountName} together.`,
      'Choose a password, and you are in. The link works once, for 7 days.',
    ],
    action: { label: 'Accept the invitation', url: `${PUBLIC_URL}/reset-password#token=${TOKEN}` },
    footer: `You get this message because ${inviterName} entered your address. If you did not expect it, leave it be.`,
    secret: token,
  });
}
