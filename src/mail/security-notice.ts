import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { shortened, withShortNames } from './plain-words.ts';

/** A change of how a user signs in. */
export type SecurityChange =
  | { kind: 'passkey added' | 'passkey removed' | 'passkey restored'; name: string }
  | { kind: 'address asked for' | 'address changed'; email: string }
  | { kind: 'second factor added' | 'second factor removed' | 'password changed' };

interface SecurityNotice extends Addressed {
  change: SecurityChange;
  /** The IP address that made the change. */
  ip: string;
  /** The time of the change, in milliseconds since 1970. */
  at: number;
}

/**
 * Returns the notice that the way in which a user signs in has changed. A stranger at an unattended computer, or with a
 * stolen password, thus cannot hide the change.
 */
export function securityNotice({ change, ip, at, ...values }: SecurityNotice): Message {
  const to = withShortNames(values);
  const { subject, sentence, advice = ADVICE } = wordsFor(change);
  return emailTemplate(to, {
    kind: 'security_notice',
    heading: subject,
    values: { event: subject, change: sentence, advice },
    action: { label: 'Check how you sign in', path: '/settings/you' },
    facts: [
      { label: 'When', value: `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC` },
      { label: 'IP address', value: ip },
    ],
    footer: `You get this message because you can sign in to the website ${to.accountName}.`,
  });
}

const ADVICE =
  'choose a new password at once: this signs everybody out. Then check your passkeys and your second factor, and remove what is not yours.';

function wordsFor(change: SecurityChange): { subject: string; sentence: string; advice?: string } {
  switch (change.kind) {
    case 'passkey added':
      return {
        subject: 'A passkey was added',
        sentence: `The passkey “${shortened(change.name)}” was added. It can sign in as you, without your password.`,
      };
    case 'passkey removed':
      return {
        subject: 'A passkey was removed',
        sentence: `The passkey “${shortened(change.name)}” was removed. Nobody can sign in with it any longer.`,
      };
    case 'passkey restored':
      return {
        subject: 'A passkey was restored',
        sentence: `The passkey “${shortened(change.name)}” was restored. It can sign in as you again.`,
      };
    case 'address asked for':
      return {
        subject: 'Your e-mail address is about to change',
        sentence: `Somebody who is signed in as you wants to change your e-mail address to ${change.email}. It changes when the link that we sent there is opened.`,
        advice:
          'choose a new password at once: this signs everybody out, and the link stops working. Then check your passkeys and your second factor, and remove what is not yours.',
      };
    case 'address changed':
      return {
        subject: 'Your e-mail address was changed',
        sentence: `From now on, you sign in as ${change.email}, and our messages go there. This is the last one to this address.`,
        advice:
          'tell the people who manage the website with you, or who run it for you, at once: they can lock the intruder out.',
      };
    case 'second factor added':
      return {
        subject: 'A second factor was set up',
        sentence: 'From now on, you need a code from your authenticator app to sign in with your password.',
      };
    case 'second factor removed':
      return {
        subject: 'Your second factor was turned off',
        sentence: 'From now on, your password alone is enough to sign in.',
      };
    case 'password changed':
      return {
        subject: 'Your password was changed',
        sentence:
          'Somebody who was signed in as you has changed it. Everybody else who was signed in as you has been signed out.',
      };
  }
}
