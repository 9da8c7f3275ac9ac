import { emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL, TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface ConfirmNewEmail {
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
    fromName: accountName,
    toName: userName,
    toEmail: email,
    subject: `Confirm your new address for ${accountName}`,
    heading: 'Confirm your new address',
    paragraphs: [
      `Somebody, most likely you, wants to sign in to the website ${accountName} with this address from now on.`,
      'The link works once, for 30 minutes. Until then the old address counts.',
    ],
    action: { label: 'Confirm this address', url: `${PUBLIC_URL}/confirm-email#token=${TOKEN}` },
    footer: 'If it was not you, leave this message be: nothing changes then.',
    secret: token,
  });
}
