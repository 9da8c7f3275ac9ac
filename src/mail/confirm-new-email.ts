import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface ConfirmNewEmail extends Sender {
  userName: string;
  /** The new address. */
  email: string;
  accountName: string;
  token: string;
}

/** Returns the message to a new e-mail address, with the link that confirms it. */
export function confirmNewEmail(values: ConfirmNewEmail): Message {
  const { userName, email, accountName, token } = withShortNames(values, ['userName', 'accountName']);
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: email,
    heading: 'Confirm your new address',
    kind: 'confirm_email',
    values: { name: userName, site: accountName, email },
    action: { label: 'Confirm this address', path: `/confirm-email#token=${TOKEN}` },
    footer: 'If you have not asked for this, ignore this message. Then nothing changes.',
    secret: token,
  });
}
