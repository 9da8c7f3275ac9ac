import { emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { PUBLIC_URL } from './placeholders.ts';
import { shortened, withShortNames } from './plain-words.ts';

/** A change of how a user signs in. */
export type SecurityChange =
  | { kind: 'passkey added' | 'passkey removed' | 'passkey restored'; name: string }
  | { kind: 'address asked for' | 'address changed'; email: string }
  | { kind: 'second factor added' | 'second factor removed' | 'password changed' };

interface SecurityNotice {
  userName: string;
  userEmail: string;
  accountName: string;
  change: SecurityChange;
  /** The IP address that made the change. */
  ip: string;
  /** In milliseconds since 1970. */
  at: number;
}

/**
 * Tells users that how they sign in has changed: a stranger at an unattended computer, or with a stolen password,
 * cannot hide it from them.
 */
export function securityNotice(values: SecurityNotice): Message {
  const { userName, userEmail, accountName, change, ip, at } = withShortNames(values, ['userName', 'accountName']);
  const { subject, sentence, advice = ADVICE } = wordsFor(change);
  return emailTemplate({
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    subject: `${subject}: ${accountName}`,
    heading: subject,
    paragraphs: [sentence, `If it was you, there is nothing to do. If it was not, ${advice}`],
    action: { label: 'Look at how you sign in', url: `${PUBLIC_URL}/settings/you` },
    facts: [
      { label: 'When', value: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` },
      { label: 'From', value: ip },
    ],
    footer: `You get this message because you look after the website ${accountName}.`,
  });
}

const ADVICE =
  'choose a new password at once: that signs everybody out. Then look through your passkeys and your second factor, and remove what is not yours.';

function wordsFor(change: SecurityChange): { subject: string; sentence: string; advice?: string } {
  switch (change.kind) {
    case 'passkey added':
      return {
        subject: 'A passkey was added',
        sentence: `The passkey “${shortened(change.name)}” was added: whoever has it can sign in as you, without your password.`,
      };
    case 'passkey removed':
      return {
        subject: 'A passkey was removed',
        sentence: `The passkey “${shortened(change.name)}” was removed, and signs nobody in any more.`,
      };
    case 'passkey restored':
      return {
        subject: 'A passkey is back',
        sentence: `Removing the passkey “${shortened(change.name)}” was undone: whoever has it can sign in as you again.`,
      };
    case 'address asked for':
      return {
        subject: 'A new mail address was asked for',
        sentence: `You are to sign in as ${change.email} from now on. That counts once the link in a message to that address is followed.`,
        advice:
          'choose a new password at once: that signs everybody out, and the link does not work any more. Then look through your passkeys and your second factor, and remove what is not yours.',
      };
    case 'address changed':
      return {
        subject: 'Your mail address was changed',
        sentence: `You sign in as ${change.email} from now on, and messages go there. This is the last one to this address.`,
        advice:
          'tell those who look after the website with you, or who run it for you, at once: they can remove whoever has got in.',
      };
    case 'second factor added':
      return {
        subject: 'A second factor was set up',
        sentence: 'From now on a code from an authenticator app is asked for when you sign in with your password.',
      };
    case 'second factor removed':
      return {
        subject: 'Your second factor was turned off',
        sentence: 'From now on your password alone is enough to sign in.',
      };
    case 'password changed':
      return {
        subject: 'Your password was changed',
        sentence: 'It was changed by somebody who was signed in as you, and everybody else was signed out.',
      };
  }
}
