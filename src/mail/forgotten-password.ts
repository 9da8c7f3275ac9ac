import { emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL, TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface ForgottenPassword {
  userName: string;
  userEmail: string;
  accountName: string;
  token: string;
}

/** The message with the link to choose a new password by. The token is behind the `#`, which no server gets to see. */
export function forgottenPassword(values: ForgottenPassword): Message {
  const { userName, userEmail, accountName, token } = withShortNames(values, ['userName', 'accountName']);
  return emailTemplate({
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    subject: `Choose a new password for ${accountName}`,
    heading: 'Choose a new password',
    paragraphs: [
      `Somebody, most likely you, asked for a new password for the website ${accountName}.`,
      'The link works once, for 30 minutes.',
    ],
    action: { label: 'Choose a new password', url: `${PUBLIC_URL}/reset-password#token=${TOKEN}` },
    footer: 'If it was not you, leave this message be: your password stays as it is.',
    secret: token,
  });
}
