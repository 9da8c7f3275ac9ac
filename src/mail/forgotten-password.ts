import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface ForgottenPassword extends Sender {
  userName: string;
  userEmail: string;
  accountName: string;
  token: string;
}

/** The message with the link to choose a new password by. The token is behind the `#`, which no server gets to see. */
export function forgottenPassword(values: ForgottenPassword): Message {
  const { userName, userEmail, accountName, token } = withShortNames(values, ['userName', 'accountName']);
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    heading: 'Choose a new password',
    kind: 'forgotten_password',
    values: { name: userName, site: accountName },
    action: { label: 'Choose a new password', path: `/reset-password#token=${TOKEN}` },
    footer: 'If it was not you, ignore this message. Your password stays as it is.',
    secret: token,
  });
}
