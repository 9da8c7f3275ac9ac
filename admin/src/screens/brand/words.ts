import type { MailWordsJson } from '../../contract.ts';
import { strings } from '../../strings.ts';

/** The texts of the screen, which are loaded with it. */
export const words = {
  title: strings.frame.brand,
  text: 'What your customers see instead of the name of this software: on their sign-in page, in their app and in the messages to them. Your own people do not see it.',
  inherited: (name: string) =>
    `Your customers see “${name}”, the brand of the agency above you, until you save one of your own.`,
  none: (product: string) => `Your customers see “${product}”, the name of this software, until you save a brand.`,
  seen: 'Name and colour',
  images: 'Logo and icon',
  imagesText: 'JPEG, PNG, WebP, AVIF or GIF. Large images are made smaller.',
  logoHelp: 'On the sign-in page, in the app and in messages, in place of the name.',
  logoDarkHelp: 'For dark backgrounds, if the logo is hard to see on them.',
  iconHelp: 'A square image for the browser tab.',
  uploadImage: 'Upload',
  replaceImage: 'Replace',
  noImage: 'Remove',
  imageNow: 'Current image',
  progress: (done: number) => `${Math.round(done * 100)} %`,
  help: 'Help and legal pages',
  helpText: 'Your customers find them below the sign-in form, and in the menu with their name.',
  messages: 'Messages to your customers',
  nameHelp: 'In the app, on its sign-in page and in messages. At most 60 characters.',
  accentHelp: 'For buttons and links. It is made lighter or darker where text would be hard to read.',
  accentWrong: 'Choose a colour such as #1f5f56.',
  pick: 'Pick a colour from the screen',
  noLink: 'No link',
  owner: (address: string | null) => (address ? `Your owner, ${address}` : 'Your owner'),
  toDefault: (label: string) => `Back to the default: ${label}`,
  save: 'Save',
  notYet: 'Your customers do not see it yet.',
  saved: (name: string) => `Your customers see “${name}” now.`,
  remove: 'Remove the brand',
  removed: (name: string) => `“${name}” is removed. Your customers see what they saw before.`,
  preview: 'Preview',
  previewOf: { 'sign-in': 'Sign-in page', mail: 'Message' },
  previewWhat: 'Shown in the preview',
  schemes: { light: 'Light', dark: 'Dark' },
  scheme: 'Light or dark',
} as const;

export const sectionWords = {
  label: 'Parts of the brand',
  brand: strings.frame.brand,
  messages: 'Messages',
  address: 'Address',
};

type Kind = MailWordsJson['kind'];

const kinds: Readonly<Record<Kind, string>> = {
  login_instructions: 'Login instructions',
  invitation: 'Invitation',
  forgotten_password: 'Forgotten password',
  confirm_email: 'New e-mail address',
  domain_outage: 'Domain stopped working',
  security_notice: 'Security notice',
  impersonation_notice: 'Sign-in by your people',
  webhook_paused: 'Webhook stopped working',
  archive_ready: 'Archive is ready',
};

const meanings: Readonly<Record<string, string>> = {
  link: 'the button with the link',
  name: 'the name of the person',
  site: 'the name of the website',
  sender: 'the name of your brand',
  email: 'the mail address of the person',
  inviter: 'the person who sends the invitation',
  agent: 'the person of your agency who has signed in',
  person: 'the person whom they have signed in as',
  reason: 'the reason that they gave',
  domain: 'the domain',
  problem: 'the problem',
  change: 'a sentence that says what has changed',
  event: 'what has changed, in a few words',
  advice: 'what to do about it: the end of a sentence',
};

/** The texts of the screen for messages. */
export const messageWords = {
  title: strings.frame.brandMessages,
  text: 'Write what your customers read in each kind of message. At its end, each message says why they got it, and what to do if it was not meant for them. You cannot change that part.',
  noBrand: 'Once you have a brand, you can write these messages in your own words.',
  toBrand: 'Save a brand first',
  which: 'Message',
  kinds,
  changedKind: (kind: string) => `${kind} (changed)`,
  textHelp: 'An empty line begins a new paragraph. Web addresses do not become links.',
  placeholders: 'You can use',
  isRequired: '(must be in the text)',
  meaning: (name: string, kind: Kind) =>
    name === 'email' && kind === 'confirm_email' ? 'the new mail address' : (meanings[name] ?? ''),
  save: 'Save',
  saved: (kind: string) => `“${kind}” has your own words now.`,
  reset: 'Back to the default',
  wasReset: (kind: string) => `“${kind}” has the default words again.`,
  previewAs: { html: 'As HTML', text: 'As text' },
  previewWhat: 'Form of the message',
} as const;

/** The texts of the screen for the address. */
export const addressWords = {
  title: strings.frame.brandAddress,
  text: 'Your customers can sign in at a domain of yours, such as app.your-agency.com. Links in their messages lead there. Only your customers can sign in there: your own people sign in where they do now.',
  choose: 'Your customers sign in at',
  standard: 'The standard address',
  notVerified: 'Not verified yet',
  appOnceVerified: 'Once it is verified',
  noDomains: 'You have no domains of your own yet.',
  others: 'Add a domain, or see which DNS records it needs:',
  toDomains: 'Domains in the settings',
  passkeys: 'After a change, your customers have to sign in again with their passwords, and add their passkeys again.',
  put: (host: string) => `Your customers sign in at ${host} now.`,
  putBack: 'Your customers sign in at the standard address again.',
} as const;
