import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface ForgottenPassword extends Addressed {
  token: string;
}

/**
 * Returns the message with the link for choosing a new password. The token comes after the `#`, which browsers do not send
 * to any server.
 */
export function forgottenPassword(values: ForgottenPassword): Message {
  return emailTemplate(withShortNames(values), {
    kind: 'forgotten_password',
    heading: 'Choose a new password',
    action: { label: 'Choose a new password', path: `/reset-password#token=${TOKEN}` },
    footer: 'If it was not you, ignore this message. Your password stays as it is.',
    secret: values.token,
  });
}
