import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface ConfirmNewEmail extends Omit<Addressed, 'userEmail'> {
  /** The new address. */
  email: string;
  token: string;
}

/** Returns the message to a new mail address, with the link that confirms it. */
export function confirmNewEmail({ email, token, ...values }: ConfirmNewEmail): Message {
  return emailTemplate(withShortNames({ ...values, userEmail: email }), {
    kind: 'confirm_email',
    heading: 'Confirm your new address',
    values: { email },
    action: { label: 'Confirm this address', path: `/confirm-email#token=${TOKEN}` },
    footer: 'If you have not asked for this, ignore this message. Then nothing changes.',
    secret: token,
  });
}
