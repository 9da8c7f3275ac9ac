import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { TOKEN } from './placeholders.ts';
import { withShortNames } from './plain-words.ts';

interface Invitation extends Addressed {
  /** The name of the inviting user. */
  inviterName: string;
  token: string;
}

/** Returns the message that invites a new user of an account to choose a password. */
export function invitation(values: Invitation): Message {
  const to = withShortNames(values, ['inviterName']);
  return emailTemplate(to, {
    kind: 'invitation',
    heading: 'You are invited',
    values: { inviter: to.inviterName },
    action: { label: 'Accept the invitation', path: `/reset-password#token=${TOKEN}` },
    footer: `You get this message because ${to.inviterName} entered your address. If you did not expect it, you can ignore it.`,
    secret: values.token,
  });
}
