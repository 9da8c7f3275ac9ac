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
    subject: `Confirm your new address for ${accountName}`,
    heading: 'Confirm your new address',
    paragraphs: [
      `You have asked to sign in to the website ${accountName} with this address from now on. Please confirm that it is yours.`,
      'The link works once, within the next 30 minutes. Until you open it, you sign in with your old address.',
    ],
    action: { label: 'Confirm this address', path: `/confirm-email#token=${TOKEN}` },
    footer: 'If you have not asked for this, ignore this message. Then nothing changes.',
    secret: token,
  });
}
