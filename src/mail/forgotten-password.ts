import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface ForgottenPassword extends Addressed {
  token: string;
}

/** The message with the link to choose a new password by. The token is behind the `#`, which no server gets to see. */
export function forgottenPassword(values: ForgottenPassword): Message {
  return emailTemplate(withShortNames(values), {
    kind: 'forgotten_password',
    heading: 'Choose a new password',
    action: { label: 'Choose a new password', path: `/reset-password#token=${TOKEN}` },
    footer: 'If it was not you, ignore this message. Your password stays as it is.',
    secret: values.token,
  });
}
