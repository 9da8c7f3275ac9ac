import { strings } from '../../strings.ts';

/** The words of the screen: apart from those of the other screens, which load without them. */
export const words = {
  title: strings.frame.brand,
  text: 'What your customers see instead of the name of this software: on their sign-in page, in their app and in the messages to them. Your own people do not see it.',
  inherited: (name: string) =>
    `Your customers see “${name}”, the brand of the agency above you, until you save one of your own.`,
  none: (product: string) => `Your customers see “${product}”, the name of this software, until you save a brand.`,
  seen: 'Name and colour',
  help: 'Help and legal pages',
  helpText: 'They stand below the sign-in form and in the menu of the person who is signed in.',
  messages: 'Messages to your customers',
  nameHelp: 'In the app, on its sign-in page and in messages. At most 60 characters.',
  accentHelp: 'For buttons and links. It is made lighter or darker where it has to be read.',
  accentWrong: 'Choose a colour such as #1f5f56.',
  pick: 'Pick a colour from the screen',
  senderHelp: 'Who messages come from, if that is not the name above.',
  replyHelp: 'Who gets the answers to messages.',
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
  previewWhat: 'What to look at',
  schemes: { light: 'Light', dark: 'Dark' },
  scheme: 'Light or dark',
} as const;
