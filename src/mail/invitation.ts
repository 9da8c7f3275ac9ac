import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface Invitation extends Sender {
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
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    heading: 'You are invited',
    kind: 'invitation',
    values: { name: userName, site: accountName, inviter: inviterName },
    action: { label: 'Accept the invitation', path: `/reset-password#token=${TOKEN}` },
    footer: `You get this message because ${inviterName} entered your address. If you did not expect it, you can ignore it.`,
    secret: token,
  });
}
