/*
 * All texts of the app. A translation would be another object of the same type. A text is a function if its words depend on
 * parameters.
 */

import type {
  AssistantScope,
  CustomerJson,
  DomainNote,
  EventKind,
  FieldWords,
  RefusalWords,
  RestoredPageJson,
  ScheduledChangeJson,
  Scope,
} from './contract.ts';
import { money } from './money.ts';

const pages = (count: number) => (count === 1 ? '1 page' : `${count.toLocaleString('en-GB')} pages`);
const isApple = /Mac|iP(?:hone|ad)/.test(navigator.platform);
/** Formats a waiting time in seconds, rounded up. */
const duration = (seconds: number) => {
  const [size, unit] = seconds < 100 ? [1, 'second'] : seconds < 100 * 60 ? [60, 'minute'] : [3600, 'hour'];
  return new Intl.NumberFormat('en-GB', { style: 'unit', unit: unit as string, unitDisplay: 'long' }).format(
    Math.max(1, Math.ceil(seconds / (size as number))),
  );
};
const keys = (count: number) => (count === 1 ? 'an API key' : `${count} API keys`);
const addresses = (count: number) => (count === 1 ? '1 address' : `${count.toLocaleString('en-GB')} addresses`);
const IMAGE_KINDS = 'JPEG, PNG, WebP, AVIF and GIF are supported.';

const limitAmounts = {
  pages: (count: number) => (count === 1 ? '1 page' : `${count} pages`),
  people: (count: number) => (count === 1 ? '1 person' : `${count} people`),
  storage: (bytes: number) => `${fileSize(bytes)} of images`,
  domains: (count: number) => (count === 1 ? '1 domain' : `${count} domains`),
};

function fileSize(bytes: number): string {
  const units = ['KB', 'MB', 'GB'] as const;
  const power = Math.min(Math.max(Math.floor(Math.log2(Math.max(1, bytes)) / 10), 1), units.length);
  const [amount, unit] = [bytes / 1024 ** power, units[power - 1]!];
  return `${amount.toLocaleString('en-GB', { maximumFractionDigits: unit === 'KB' ? 0 : 1 })} ${unit}`;
}

/** Returns the sentence for a problem that the check of a domain found. */
function domainNote(note: DomainNote): string {
  switch (note.code) {
    case 'dns_failed':
      return `We could not look up the ${note.type} record of ${note.name}: ${dnsFailures[note.error] ?? `the DNS query failed (${note.error})`}.`;
    case 'no_record':
      return `There is no ${note.type} record at ${note.name}.`;
    case 'other_record':
      return note.type === 'TXT'
        ? `The TXT record at ${note.name} says ${JSON.stringify(note.found)}, not "${note.expected}".`
        : `The CNAME record at ${note.name} points to ${JSON.stringify(note.found)}, not to "${note.expected}".`;
    case 'other_token':
      return `The TXT record at ${note.name} has the wrong value: it says ${JSON.stringify(note.found)}, not "${note.expected}".`;
    case 'leads_elsewhere':
      return note.found.length === 0
        ? `Visitors to ${note.name} find nothing: there is no A or AAAA record.`
        : `${note.name} leads visitors to another server (${note.found.join(', ')}).`;
    case 'held_with_proof':
      return 'Another site uses this domain. You can use it here once that site removes it, or once its record is gone from the DNS.';
    case 'held_until_txt':
      return 'Another site uses this domain. You can use it here once that site removes it, or once you create the TXT record.';
    case 'lost':
      return 'Another site has proved that the domain is theirs.';
  }
}

const dnsFailures: Readonly<Record<string, string>> = {
  ETIMEOUT: 'the DNS server did not answer in time',
  ECONNREFUSED: 'the DNS server could not be reached',
  ESERVFAIL: 'the DNS server failed (SERVFAIL)',
  EREFUSED: 'the DNS server refused to answer',
};

const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ');

const treeKeys = [
  ['↑ ↓', 'Move between pages'],
  ['→ ←', 'Open and close'],
] as const;

/** Formats the date `YYYY-MM-DD`. */
function plainDate(day: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day));
}

export const strings = {
  fileSize,
  limitAmounts,
  domainNote,
  brandLinks: {
    support: (brand: string) => `Help from ${brand}`,
    legalNotice: 'Legal notice',
    privacy: 'Privacy policy',
    terms: 'Terms of service',
  },
  locale: 'en-GB',
  clearSearch: 'Clear the search',
  notifications: 'Notifications',
  undo: 'Undo',
  cancel: 'Cancel',
  save: 'Save',
  saved: 'Saved.',
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  undone: 'Undone. Everything is as it was.',
  setUpMail: 'The operator of the service has to set SMTP_URL to a mail server and restart the service.',
  undoneLater: (message: string) => `Undone: ${message}`,

  times: {
    today: 'Today',
    yesterday: 'Yesterday',
  },

  errors: {
    title: 'That did not work',
    retry: 'Try again',
    newVersion: {
      title: 'There is a new version of this app',
      text: 'It was released after you opened this tab. Load it to continue. What you have written is kept.',
      retry: 'Load the new version',
    },
    unexpected: 'Something unexpected happened. Try again. If it happens again, reload the page.',
    offline: 'The service cannot be reached. Check your connection, then try again.',
    signedOut: 'You are no longer signed in. Sign in, then try again.',
    forbidden: 'Your role does not allow this. Ask an owner of the site to do it or to change your role.',
    tooMany: (seconds: number) => `Too many attempts in a short time. Wait ${duration(seconds)}, then try again.`,
    server: 'The service has a problem. Try again in a moment. If it continues, tell your provider.',
    suspended: 'This site is suspended. Ask your provider about it.',
    crossSite: 'Your browser sent this from another website. Open the app at its own address, then try again.',
    gone: 'This no longer exists. Somebody may have deleted it: reload the page.',
    outdated: 'Somebody else changed this in the meantime. Look at the change, then try again.',
  },

  fields: {
    name: 'Name',
    urlname: 'Address',
    body: 'Text',
    bodyFormat: 'Format',
    description: 'Excerpt',
    customDate: 'Date',
    isHidden: 'Navigation',
    parentId: 'Place',
    email: 'E-mail address',
    password: 'Password',
    confirmation: 'Password',
    current: 'Current password',
    role: 'Role',
    host: 'Domain',
    url: 'The address',
    accent: 'Colour',
    secondButton: 'Second button',
    theme: 'Theme',
    language: 'Language',
    timeZone: 'Time zone',
    editor: 'Editor',
    alt: 'Description',
    code: 'Code',
    key: 'The key',
    expiresAt: 'End',
    overlap: 'Overlap',
    subdomain: 'Address of the site',
    userName: 'Name',
    planId: 'Plan',
    price: 'Price',
    interval: 'Interval',
    day: 'The date',
    currency: 'Currency',
    trialDays: 'The number of trial days',
    pages: 'Pages',
    people: 'People',
    storage: 'Storage',
    domains: 'Own domains',
    plan: 'Your plan',
    supportEmail: 'Support address',
    supportUrl: 'Support page',
    legalNoticeUrl: 'Legal notice',
    privacyUrl: 'Privacy policy',
    termsUrl: 'Terms of service',
    senderName: 'Sender of messages',
    subject: 'Subject',
    text: 'Text',
    replyTo: 'Address for replies',
    logo: 'Logo',
    logoDark: 'Logo for dark backgrounds',
    icon: 'Icon',
    file: 'The file',
    page: 'The page',
    posts: 'The page for the posts',
    site_url: 'The address of the old site',
    isPublished: 'Whether it is published',
    children: 'The list of sub-pages',
    position: 'The position',
    path: 'The address',
    event: 'The event',
  } as Record<string, string>,

  frame: {
    skip: 'Skip to content',
    navigation: 'Main',
    openMenu: 'Open menu',
    closeMenu: 'Close menu',
    pages: 'Pages',
    images: 'Images',
    trash: 'Trash',
    overview: 'Overview',
    customers: 'Customers',
    plans: 'Plans',
    templates: 'Templates',
    revenue: 'Revenue',
    brand: 'Brand',
    brandMessages: 'Messages to your customers',
    brandAddress: 'Address of the app',
    settings: 'Settings',
    viewSite: 'View site',
    person: (name: string) => `${name}: appearance, sign out`,
    schemeAuto: 'Same as this device',
    schemeLight: 'Light',
    schemeDark: 'Dark',
    yourAccount: 'Your name and password',
    signOut: 'Sign out',
    signingOut: 'Signing out…',
  },

  notFound: {
    title: 'There is nothing here',
    text: 'The address may be mistyped, or the page may have been deleted.',
    back: 'Go to your pages',
  },

  signIn: {
    title: 'Sign in',
    text: 'To look after your website.',
    textFor: (subdomain: string) => `To look after the site “${subdomain}”.`,
    email: 'E-mail address',
    password: 'Password',
    showPassword: 'Show or hide the password',
    code: 'Code',
    codeHelp: 'Six digits from your authenticator app, or one of your recovery codes.',
    submit: 'Sign in',
    submitting: 'Signing in…',
    forgotten: 'Forgotten your password?',
    wrong: 'The e-mail address or password is wrong. Check both, or ask for a new password below.',
    site: 'Site',
    siteHelp:
      'Only needed if you look after several sites with different passwords: the start of its address, such as “bakery” in bakery.example.com.',
    tooMany: (wait: string) => `${wait} Or ask for a new password below: the link in the mail lets you in at once.`,
    wrongLink: 'This link no longer works. Sign in with your password, or ask for a new one below.',
    passkey: 'Sign in with a passkey',
    or: 'or',
    wrongCode: 'That code is wrong. Wait for the next one, or use a recovery code.',
    chooseTitle: 'Which site?',
    chooseText: 'You look after several sites. To switch later, sign in again.',
  },

  signInAgain: {
    title: 'Sign in again',
    text: (subdomain: string) =>
      `You are no longer signed in to “${subdomain}”. Sign in to continue where you were: what you wrote is still there.`,
    leave: 'Sign in to another site instead',
    followed: (site: string, subdomain: string, person: string) =>
      `This tab now shows “${site}” (${subdomain}), because ${person} signed in to it in this browser.`,
  },

  visit: {
    label: 'Signed in as another person',
    as: 'You are signed in as',
    of: (site: string) => `of ${site}`,
    left: (minutes: number) => (minutes <= 1 ? 'Less than 1 min left' : `${minutes} min left`),
    soonOver: 'Less than a minute is left.',
    end: 'End',
    endOf: (person: string) => `End the sign-in as ${person}`,
    followed: (site: string, person: string) =>
      `This tab now shows “${site}”, because you signed in there as ${person} in another tab.`,
    overTitle: 'You have been signed out',
    overText: 'You are no longer signed in as this person.',
    overAdvice: 'Your saved changes are kept. To continue, sign in again from the customer’s page.',
    back: 'Back to the customer',
  },

  forgottenPassword: {
    title: 'Forgotten your password?',
    text: 'Enter your e-mail address, and we will send you a link to choose a new password.',
    email: 'E-mail address',
    site: 'Site (optional)',
    siteHelp:
      'Only needed if you look after several sites: the start of its address, such as “bakery” in bakery.example.com.',
    submit: 'Send the link',
    back: 'Back to signing in',
    tooMany: ' Or check your mail: any link that arrived in the last 30 minutes still works.',
    sentTitle: 'Check your mail',
    sentText: (email: string) =>
      `If ${email} has an account here, a link is on its way. It works once, for 30 minutes. Nothing there? Look in your junk folder, or check the address.`,
  },

  passkeys: {
    already: 'This device already has a passkey for you.',
    notChosen: 'Your device did not send a passkey. Try again, and confirm it when the device asks you.',
    notPossible: 'This device cannot do that. Try another one.',
  },

  newPassword: {
    resetTitle: 'Choose a new password',
    invitationTitle: (site?: string) => (site ? `Welcome to ${site}` : 'Welcome'),
    text: (email: string) => `For ${email}`,
    password: 'New password',
    passwordHelp: 'At least 8 characters. A few words are easy to remember and hard to guess.',
    submit: 'Save and sign in',
    goneTitle: 'This link no longer works',
    gone: 'A link works once, and for a limited time: 7 days in a welcome message or an invitation, otherwise 30 minutes. If you have already chosen a password, sign in with it. If not, ask for a new link.',
    go: 'Sign in',
    again: 'Ask for a new link',
  },

  welcome: {
    title: 'Welcome',
    text: 'Tell us who you are, and choose a password to sign in with.',
    name: 'Your name',
    email: 'E-mail address',
    password: 'Password',
    passwordHelp: 'At least 8 characters. A few words are easy to remember and hard to guess.',
    submit: 'Save and continue',
    later: 'Later',
  },

  authorize: {
    title: 'Allow access?',
    asks: (name: string, account: string) => `“${name}” asks for access to ${account} on your behalf.`,
    host: (host: string) =>
      `Your answer goes to ${host}. Allow this only if you have just connected a program there. A program can give itself any name.`,
    scopes: 'What may it do?',
    scopeNames: {
      'pages:read': 'Read pages',
      'pages:write': 'Write drafts, and create, change, publish and delete pages',
      'customers:read': 'Read customers and plans',
      'customers:write': 'Create customers, change their plans, and suspend, delete and restore them',
      'revenue:read': 'Read plan, customer counts and revenue',
    } satisfies Record<AssistantScope, string>,
    until:
      'The program gets an API key for 90 days. You can revoke it in the settings at any time. The log shows what the program does.',
    submit: 'Allow',
    refuse: 'Deny',
    wrongTitle: 'This program could not be connected',
    wrong: 'Its request is incomplete, or meant for another service. Go back to the program, and connect it again.',
  },

  confirmEmail: {
    title: 'Confirm your new address',
    text: (email: string) => `You will sign in as ${email}, and get your messages there.`,
    submit: 'Use this address',
    doneTitle: 'Your address is changed',
    done: (email: string) => `You now sign in as ${email}, and get your messages there.`,
    goneTitle: 'This link no longer works',
    gone: 'A link works once, for 30 minutes, and only the latest link works. Ask for a new one in the settings, under “You”.',
    go: 'Continue',
  },

  pages: {
    title: 'Pages',
    search: 'Search pages',
    results: (count: number, hasMore: boolean) => {
      if (hasMore) return `More than ${pages(count)} found. These are the best matches: type more to narrow them down.`;
      return count === 0 ? 'No page found' : `${pages(count)} found`;
    },
    noResults: (text: string) => `No page has “${text}” in its name, address or text. Try fewer letters.`,
    add: 'New page',
    import: 'Import',
    addInside: (name: string) => `Add a page inside ${name}`,
    tree: 'Pages of the site',
    helpTitle: 'Keyboard shortcuts',
    viewerKeys: [...treeKeys, ['Enter', 'View the page']] as const,
    keys: [
      ...treeKeys,
      ['Enter', 'Edit the page'],
      ['F2', 'Rename it'],
      ['Delete', 'Delete it'],
      ['Alt + ↑ ↓', 'Move it up and down'],
      ['Alt + → ←', 'Move it in and out'],
      [isApple ? '⌘ Z' : 'Ctrl + Z', 'Undo the last change'],
    ] as const,
    toDo: {
      title: 'Next steps',
      hide: 'Hide this list',
      items: {
        name: 'Check the name of your website',
        text: 'Write your first text, and publish it. Until then, visitors read “coming soon”',
        look: 'Choose a look and a colour',
        address: 'Use an address of your own',
      },
    },
    selectHint: 'Select a page to work on it, or drag it to where it should be.',
    nameLabel: 'Name',
    nameHelp: 'What the page is called in the navigation. Visitors see the page once you publish it.',
    create: 'Create and edit',
    hidden: 'Hidden',
    unpublished: 'Not published',
    draft: 'Draft',
    more: (name: string) => `Actions for ${name}`,
    edit: 'Edit',
    look: 'View',
    rename: 'Rename',
    renameLabel: (name: string) => `New name for ${name}`,
    duplicate: 'Duplicate',
    remove: 'Delete',
    show: 'Show in navigation',
    hide: 'Hide from navigation',
    view: 'View on the site',
    up: 'Move up',
    down: 'Move down',
    into: 'Move into the page above',
    out: 'Move out one level',
    loading: 'Loading…',
    emptyTitle: 'Your website starts with a page',
    emptyText:
      'The first page is what visitors see when they come. Add more for what people ask you most: who you are, what you do, how to reach you.',
    emptyAction: 'Create the first page',
    created: (name: string) => `“${name}” created. Visitors see it once you publish it.`,
    notCreated: (name: string) => `“${name}” was not created`,
    renamed: (name: string) => `Renamed to “${name}”.`,
    notRenamed: (name: string) => `“${name}” was not renamed`,
    moved: (name: string, count: number) =>
      count > 0 ? `“${name}” moved. ${addresses(count)} changed; old links still work.` : `“${name}” moved.`,
    duplicated: (name: string) => `“${name}” duplicated, not published.`,
    removed: (name: string, count: number) =>
      count > 1 ? `“${name}” and ${pages(count - 1)} below it deleted.` : `“${name}” deleted.`,
    removeTitle: 'Delete this page and those below it?',
    removeText: (name: string, count: number) =>
      `“${name}” and ${pages(count - 1)} below it go to the trash. You can restore them for 30 days.`,
    removeCounting: (name: string) =>
      `“${name}” and all pages below it go to the trash. You can restore them for 30 days.`,
    removeConfirm: (count?: number) => (count === undefined ? 'Delete' : `Delete ${pages(count)}`),
    shown: (name: string, isBelowHidden: boolean) =>
      isBelowHidden
        ? `“${name}” itself is no longer hidden. It appears in the navigation when the page above it does.`
        : `“${name}” is in the navigation now.`,
    hid: (name: string, hasPagesBelow: boolean) =>
      hasPagesBelow
        ? `“${name}” and all pages below it are hidden from the navigation; their addresses still work.`
        : `“${name}” is hidden from the navigation; its address still works.`,
    home: (name: string | null | undefined) => {
      if (name === undefined) return '';
      return name === null
        ? ' There is no home page now: visitors read “coming soon”.'
        : ` “${name}” is the home page now.`;
    },
    moveTitle: 'Move this page?',
    moveText: (name: string, count: number) =>
      `Moving “${name}” changes ${addresses(count)}. Old links still work. You can undo it.`,
    moveCounting: (name: string) => `Moving “${name}” changes its address, and the addresses of all pages below it.`,
    moveConfirm: (count?: number) => (count === undefined ? 'Move' : `Move and change ${addresses(count)}`),
    viewOnly: 'You can look at the pages. To change them, ask an owner for another role.',
  },

  customers: {
    title: 'Customers',
    search: 'Search customers',
    count: (active: number) =>
      active === 1 ? '1 active customer' : `${active.toLocaleString('en-GB')} active customers`,
    found: (count: number, hasMore: boolean) => {
      if (hasMore) return `More than ${count} customers found. Type more to narrow them down.`;
      return count === 0 ? 'No customer found' : count === 1 ? '1 customer found' : `${count} customers found`;
    },
    noneFound: (text: string) =>
      `No customer matches “${text}”. Enter the beginning of a name or subdomain, or a whole domain or e-mail address.`,
    suspended: 'Suspended',
    plan: ({ name, priceCents, interval }: CustomerJson['plan']) =>
      priceCents === 0 ? name : `${name}, ${money(priceCents / 100)} a ${interval}`,
    trial: (endsOn: string) => `Pays from ${plainDate(endsOn)}`,
    scheduled: ({ plan, day, failure }: ScheduledChangeJson) =>
      failure === null ? `From ${plainDate(day)}: ${plan.name}` : `Change to ${plan.name} failed`,
    since: (date: string) => `Since ${date}`,
    more: 'Show more',
    text: 'Everybody whose website you look after. Search finds names, e-mail addresses, subdomains and domains.',
    empty: 'No customers yet',
    add: 'New customer',
    import: 'Import',
    emptyText: 'Create your first customer here, or let your own programs do it with an API key.',
    reference: 'How to create a customer with the API',
    entryText: 'Do you run websites for customers of your own?',
    entry: 'Look after your customers',
  },

  trash: {
    title: 'Trash',
    text: {
      pages: 'Deleted pages stay here for 30 days and can be restored. Then they are gone for good.',
      images: 'Deleted images stay here for 30 days, or until new ones need the space. Then they are gone for good.',
    },
    kinds: 'Deleted pages or images',
    pages: 'Pages',
    images: 'Images',
    list: 'In the trash',
    order: 'Latest first.',
    search: { pages: 'Search deleted pages', images: 'Search deleted images' },
    found: (count: number, hasMore: boolean) =>
      hasMore ? 'There are more than these. Type more to narrow them down.' : `${count} found. Latest first.`,
    nothingFound: 'Nothing found',
    noPageFound: (text: string) => `No page in the trash has “${text}” in its name. Try fewer letters.`,
    noImageFound: (text: string) =>
      `No image in the trash has “${text}” in its name or description. Try fewer letters.`,
    foundBelow: (name: string) => `Pages found below ${name}`,
    viewOnly: 'You can look at what was deleted. To restore it, ask an owner for another role.',
    emptyPages: 'No deleted pages',
    emptyImages: 'No deleted images',
    emptyText: 'Anything you delete stays here for 30 days, so that you can restore it.',
    from: (parent: { name: string | null; isDeleted: boolean } | null) => {
      if (parent === null) return 'From the top level';
      if (parent.name === null) return 'From a page that is gone';
      return parent.isDeleted ? `From “${parent.name}”, which is in the trash too` : `From “${parent.name}”`;
    },
    deleted: (when: string, who: string | null) => (who === null ? `deleted ${when}` : `deleted ${when} by ${who}`),
    daysLeft: (days: number) => (days === 1 ? '1 day left' : `${days} days left`),
    below: (count: number) => `${pages(count)} below it`,
    belowOf: (name: string) => `Pages below ${name}`,
    restore: 'Restore',
    restoreOf: (name: string) => `Restore ${name}`,
    restoreAlone: (name: string) => `Restore ${name} without the pages above it`,
    restored: (name: string, { pages: count, isElsewhere, hasNewUrlname, renamed, page }: RestoredPageJson) => {
      const parent = page.ancestors.at(-1)?.name;
      const place = parent === undefined ? 'at the top level' : `in “${parent}”`;
      return [
        count > 1 ? `“${name}” and ${pages(count - 1)} below it are back.` : `“${name}” is back.`,
        ...(isElsewhere ? [`It is ${place} now: its old place is gone.`] : []),
        ...(page.name !== name ? [`Its name was taken: it is called “${page.name}” now.`] : []),
        ...(hasNewUrlname ? [`Its address was taken: it is ${page.path} now.`] : []),
        ...(renamed > 1 ? [`${pages(renamed)} got a number in the name, because the names were taken.`] : []),
      ].join(' ');
    },
    backInTrash: (name: string) => `“${name}” is in the trash again.`,
    select: (name: string) => `Select ${name}`,
    selection: 'Selection',
    selected: (count: number) => `${count} selected`,
    selectAll: 'Select all shown',
    selectNone: 'Select none',
    notRestored: (count: number, of: number) => `${count} of ${of} not restored`,
    notDeleted: (count: number, of: number) => `${count} of ${of} not moved back to the trash`,
    notDiscarded: (count: number, of: number) => `${count} of ${of} not deleted`,
    restoredSeveral: (count: number) => (count === 1 ? 'It is back.' : `${count} are back.`),
    severalBackInTrash: (count: number) =>
      count === 1 ? 'It is in the trash again.' : `${count} are in the trash again.`,
    discardPages: (count: number) =>
      `${pages(count)} will be deleted, with their earlier versions. This cannot be undone.`,
    discardImages: (count: number) =>
      count === 1
        ? '1 image will be deleted. This cannot be undone.'
        : `${count} images will be deleted. This cannot be undone.`,
    discard: 'Delete for good',
    discardOf: (name: string) => `Delete ${name} for good`,
    discardTitle: 'Delete for good?',
    discardPage: (name: string, count: number) =>
      count > 1
        ? `“${name}” and ${pages(count - 1)} below it will be deleted, with their earlier versions. This cannot be undone.`
        : `“${name}” will be deleted, with its earlier versions. This cannot be undone.`,
    discardImage: (name: string) => `“${name}” will be deleted. This cannot be undone.`,
    empty: 'Empty the trash',
    emptyTitle: 'Empty the trash?',
    emptyPagesText: (total: number, isExact: boolean) => {
      const count = total.toLocaleString('en-GB');
      const what =
        total === 1 ? '1 deleted page' : isExact ? `All ${count} deleted pages` : `More than ${count} deleted pages`;
      return `${what} will be deleted for good, with the pages below. This cannot be undone. Images in the trash stay.`;
    },
    emptyImagesText:
      'All images in the trash will be deleted for good. This cannot be undone. Pages in the trash stay.',
    more: 'Show more',
    notThere: 'This page is no longer in the trash.',
    showAll: 'Show everything in the trash',
  },

  editor: {
    breadcrumbs: 'Where this page is',
    editing: 'Edit page',
    name: 'Name of the page',
    body: 'Text of the page',
    placeholder: 'Write here, or drop in an image. The buttons above make headings, lists and links.',
    sourcePlaceholder: 'Write HTML here.',
    source: 'Text of the page as HTML',
    toolbar: 'Formatting',
    ctrl: (key: string) => `${isApple ? '⌘' : 'Ctrl+'}${key}`,
    bold: 'Bold',
    italic: 'Italic',
    strike: 'Strikethrough',
    code: 'Code',
    codeBlock: 'Code block',
    heading2: 'Heading',
    heading3: 'Smaller heading',
    list: 'List',
    numbers: 'Numbered list',
    tasks: 'Task list',
    quote: 'Quotation',
    link: 'Link',
    image: 'Image',
    embed: 'Embed',
    taskDone: 'Done',
    table: 'Table',
    tableHeaders: ['First', 'Second'],
    addRow: 'Add a row below',
    addColumn: 'Add a column after',
    removeRow: 'Delete the row',
    removeColumn: 'Delete the column',
    removeTable: 'Delete the table',
    rule: 'Line',
    redo: 'Redo',
    markdown: 'Markdown',
    visual: 'Visual',
    view: 'View',
    write: 'Write',
    both: 'Both',
    preview: 'Preview',
    publish: 'Publish',
    published: (count: number, isHidden: boolean) => {
      const moved = count > 0 ? ` ${addresses(count)} changed; old links still work.` : '';
      return isHidden
        ? `Published. It is not in the navigation: people who have its address can see it now.${moved}`
        : `Published. Visitors see it now.${moved}`;
    },
    unpublished: (name: string) => `“${name}” is no longer published. Visitors can no longer see it.`,
    notPublished: (name: string) => `“${name}” was not published`,
    discard: 'Discard the draft',
    discarded: 'The draft is discarded.',
    history: 'Earlier versions',
    onSite: 'View on the site',
    viewOnly: 'You can look at this page. To change it, ask an owner for another role.',
    rescued: 'This is what you last wrote on this device. It had not been saved yet. It is being saved now.',
    offered: {
      text: (time: string) => `This device has another text, from ${time}. It is not part of this draft.`,
      refused: 'The other text is discarded.',
    },
    offeredElsewhere: {
      text: (time: string) =>
        `Another draft was saved on another device or in another tab, ${time}. What you see here is not saved until you choose.`,
    },
    showBoth: 'Show both',
    refuse: 'Discard it',
    choice: {
      title: 'Which text do you want to continue with?',
      text: 'The other text stays on this device until you discard it.',
      other: (time: string) => `The other text, ${time}`,
      here: 'In the editor',
      take: 'Use the other text',
      keep: 'Keep the text in the editor',
      taken: 'The other text is in the editor now.',
      kept: 'You kept the text in the editor.',
    },
    otherTab:
      'This page is open in another tab, too. What you write in one tab appears in the other as soon as it is saved.',
    otherDrafts: (people: readonly string[]) =>
      `${people.join(' and ')} ${people.length === 1 ? 'has' : 'have'} an unpublished draft of this page, too. If they publish before you, you see both versions and choose.`,
    unpublishedNote: 'This page is not published, so visitors cannot see it. “Publish” shows it to them.',
    hiddenNote: 'This page is not in the navigation. You can show it in the page settings.',
    hiddenAboveNote: (name: string) => `This page is not in the navigation, because “${name}” above it is not.`,
    longPage: (count: number) =>
      `This page has more than ${count.toLocaleString('en-GB')} paragraphs. Typing is slower here, and the page loads slowly for visitors. Move parts of it to pages below this one, or edit its HTML, which stays fast.`,
    asSource: 'Show the HTML',
    asVisual: 'Back to the visual editor',
    status: {
      clean: 'Published',
      unpublished: 'Not published',
      publishing: 'Publishing…',
      undoing: 'Undoing…',
      saving: 'Saving…',
      saved: 'Draft saved',
      savedAt: (time: string) => `Draft saved ${time}`,
      failed: 'Not saved yet: kept on this device, trying again.',
      held: 'Not saved: kept on this device until you choose.',
      notKept: 'Not saved. Keep this tab open.',
      refused: (reason: string) => `Not saved, but kept on this device. ${reason}`,
      refusedNotKept: (reason: string) => `Not saved. Keep this tab open. ${reason}`,
    },
    htmlBlock: {
      note: 'This part was made elsewhere. It is kept as it is.',
      unseenNote: 'This part was made elsewhere. Visitors do not see it.',
      edit: 'Edit source',
      asText: 'Convert to text',
      up: 'Move up',
      down: 'Move down',
      remove: 'Delete',
      title: 'Edit the source of this part',
      source: 'HTML of this part',
      help: 'Only for people who know HTML. The rest of the page stays as it is.',
      save: 'Apply',
    },
    linkDialog: {
      title: 'Link',
      address: 'Address, or the name of one of your pages',
      help: 'For example https://example.com, mail@example.com, or “Contact”.',
      nothing: 'None of your pages has this name.',
      submit: 'Save the link',
      remove: 'Remove the link',
    },
    embedDialog: {
      title: 'Embed a video or a map',
      address: 'Address or code',
      help: 'Enter the address of a video on YouTube or Vimeo, or of a map on OpenStreetMap. For Google Maps, choose “Share”, then “Embed a map”, and copy the code.',
      cannot:
        'This cannot be embedded. You can embed videos on YouTube and Vimeo, maps on OpenStreetMap, and the code that Google Maps offers under “Share”, “Embed a map”.',
      name: 'Title',
      nameHelp: 'For people who cannot see it.',
      nameMissing: 'Say in a few words what it is.',
      submit: 'Embed',
      remove: 'Delete',
    },
    imageTools: {
      label: 'This image',
      size: 'Size',
      sizes: { small: 'Small', normal: 'Normal', wide: 'Wide', full: 'Full' },
      left: 'On the left, with text beside it',
      center: 'In the middle',
      right: 'On the right, with text beside it',
      link: 'Link of the image',
      linkHelp: 'Where a click on the image leads, such as /prices. Leave it empty for no link.',
      side: 'Place',
      sides: { none: 'On its own', left: 'Left', center: 'Middle', right: 'Right' },
      caption: 'Caption',
      replace: 'Replace the image',
    },
    imageUnsaid: 'Image without a description',
    lostImages: (count: number) =>
      count === 1
        ? 'One image could not be pasted. Insert it where it belongs.'
        : `${count} images could not be pasted. Insert them where they belong.`,
    foreignImages: {
      found: (count: number) =>
        count === 1
          ? 'One image is stored on another website. If it is deleted there, it disappears here, too.'
          : `${count} images are stored on other websites. If they are deleted there, they disappear here, too.`,
      copy: (count: number) => (count === 1 ? 'Save a copy here' : 'Save copies here'),
      leave: (count: number) => (count === 1 ? 'Leave it there' : 'Leave them there'),
      copied: (count: number) =>
        count === 1 ? 'A copy of the image is saved here.' : `Copies of ${count} images are saved here.`,
      refused: (count: number) =>
        count === 1
          ? 'One image could not be copied. Save it from the other website to your device, then drop it here.'
          : `${count} images could not be copied. Save them from the other websites to your device, then drop them here.`,
    },
    imageDialog: {
      title: 'Image',
      own: 'Your images',
      web: 'From the web',
      upload: 'Upload images',
      drop: 'Or drop them here, or onto the page itself.',
      empty: 'There are no images yet.',
      list: 'Your images, latest first',
      more: 'Show earlier images',
      room: (used: string, all: string) => `${used} of ${all} used`,
      choose: (name: string) => `Choose ${name}`,
      remove: (name: string) => `Delete ${name}`,
      removed: (name: string, pages: readonly string[], count: number, hasMore: boolean) => {
        if (count === 0) return `“${name}” is deleted.`;
        const rest = count - pages.length;
        const more = rest > 0 ? ` and ${hasMore ? 'more than ' : ''}${rest} more` : '';
        return `“${name}” is deleted. It is now missing on ${pages.join(', ')}${more}.`;
      },
      restored: (name: string) => `“${name}” is back.`,
      address: 'Address of the image',
      alt: 'What it shows',
      altHelp: 'For people who cannot see it, and for search engines.',
      decorative: 'It is only decoration',
      submit: 'Insert',
      change: 'Change',
    },
    uploads: {
      label: (name: string) => `Uploading ${name}`,
      processing: (name: string) => `${name}: nearly there`,
      cancel: (name: string) => `Cancel the upload of ${name}`,
      failed: (name: string) => `${name} was not uploaded`,
      several: (at: number, count: number) => `Uploading image ${at} of ${count}`,
      begun: (count: number) => (count === 1 ? 'Uploading one image' : `Uploading ${count} images`),
      come: (count: number) => (count === 1 ? 'One image is uploaded.' : `${count} images are uploaded.`),
      cancelAll: 'Cancel all',
      cancelled: 'You cancelled it.',
      failedAll: (count: number) => `${count} images were not uploaded`,
      names: (names: readonly string[]) =>
        names.length > 5 ? `(${names.slice(0, 4).join(', ')} and ${names.length - 4} more)` : `(${names.join(', ')})`,
      astray: (count: number) =>
        count === 1
          ? 'One image was uploaded, but its place in the text is gone. You find it among your images.'
          : `${count} images were uploaded, but their places in the text are gone. You find them among your images.`,
      retry: 'Try again',
      leaveOut: (name: string) => `Leave ${name} out`,
      leaveAllOut: (count: number) => (count === 1 ? 'Leave it out' : 'Leave them out'),
      question: 'What does this image show?',
      changeQuestion: 'What this image shows',
      withoutAlt: (count: number) =>
        count === 1 ? 'One image has no description.' : `${count} images have no description.`,
      describe: (count: number) => (count === 1 ? 'Describe it' : 'Describe them'),
      position: (at: number, count: number) => `${at} of ${count}`,
      previous: 'Previous image',
      next: 'Next image',
      show: 'Show it in the text',
      decorative: 'Only decoration',
      later: 'Later',
    },
    settings: {
      button: 'Page settings',
      title: 'Page settings',
      address: 'Address',
      addressNote: (count: number) =>
        count === 0 ? 'No address changes.' : `Publishing this changes ${addresses(count)}. Old links still work.`,
      homeNote: (site: string) =>
        `This is the home page: visitors find it at ${site}, and its own address leads there.`,
      addressTaken: 'Another page already has this address. Choose another.',
      excerpt: 'Excerpt',
      excerptHelp: 'One or two sentences for search engines and previews of links.',
      excerptFromText: 'Without an excerpt, the first sentences of the page appear here.',
      searchPreview: 'In a search engine',
      hidden: 'Hide from the navigation',
      hiddenHelp: 'People who have the address can still open the page.',
      redirects: {
        title: 'Other addresses',
        text: 'These addresses also lead to this page. They are its former addresses, and any that you add, for example from your old website.',
        path: 'Add an address',
        placeholder: '/old-page.html',
        submit: 'Add',
        empty: 'No other addresses yet.',
        more: 'These are the latest ones. There are more.',
        covered: 'Another page uses this address now, and visitors see that page.',
        remove: 'Remove',
        removeOf: (path: string) => `Remove ${path}`,
        taken: (path: string, page: string) =>
          `Until now, ${path} led to “${page}”. If you remove it here, it leads there again.`,
        removed: (path: string) => `${path} no longer leads here.`,
        restored: (path: string) => `${path} leads here again.`,
      },
      unpublish: 'Unpublish',
      unpublishHelp: 'Visitors can no longer see the page. Your text is kept.',
      date: 'Date',
      dateHelp: (zone: string) => `Puts news and feeds in order. In the time zone of the site, ${zone}.`,
      format: 'Format',
      formatHelp: 'Another format can change your text. You see the changes first.',
    },
    convert: {
      title: 'Change the format',
      text: 'Lines with − show your text now. Lines with + show it after the change. It stays a draft until you publish it.',
      before: 'Now',
      after: 'After the change',
      submit: 'Change the format',
      done: 'The format is changed.',
    },
    conflict: {
      title: 'Somebody else published first',
      text: (who: string, when: string) =>
        `${who} published another version of this page (${when}) while you were writing. Nothing is lost: choose what visitors should see.`,
      theirs: (who: string) => `Published by ${who}`,
      mine: 'With your changes',
      allSame: 'Both of you made the same changes: there are no differences left.',
      takeTheirs: 'Keep theirs, discard mine',
      edit: 'Continue editing mine',
      keepMine: 'Publish mine',
    },
  },

  preview: {
    title: 'Preview',
    of: (name: string) => `Preview of ${name}`,
    width: 'Width of the preview',
    desktop: 'Desktop',
    phone: 'Phone',
    loading: 'Loading…',
    waiting: 'The page has changed. Move the pointer away to see it.',
  },

  compare: {
    title: 'Both texts and their differences',
    on: (side: string) => `${side}:`,
    unchanged: (count: number) =>
      count === 1 ? '1 unchanged line' : `${count.toLocaleString('en-GB')} unchanged lines`,
    unchangedBlocks: (count: number) =>
      count === 1 ? '1 unchanged paragraph' : `${count.toLocaleString('en-GB')} unchanged paragraphs`,
    view: 'How to compare',
    rendered: 'As visitors see it',
    source: 'Source',
    settings: 'Page settings that differ',
    dateIn: (zone: string) => `Date (${zone})`,
    shown: 'Shown',
    same: 'Name, excerpt and text are the same in both.',
    allSame: 'There are no differences between the two.',
  },

  revisions: {
    title: 'Earlier versions',
    text: 'Each time you publish this page, the previous version is kept here. You can compare and restore it. The name, excerpt, text and format come back. The address and date do not change, and a hidden page stays hidden.',
    list: 'Versions',
    now: 'Published now',
    nowUnpublished: 'Now, not published',
    version: (who: string, when: string) => `${when}, ${who}`,
    compareWith: 'Compare with',
    by: (who: string, when: string) => `Published by ${who}, ${when}`,
    restore: 'Restore this version',
    restoring: 'Publishing again…',
    restored: (isPublished: boolean) =>
      isPublished ? 'That version is published again.' : 'That version is back. The page is not published.',
    more: 'Show earlier versions',
    empty: 'No earlier versions yet.',
  },

  /** Texts for broken rules. Each ends a sentence that starts with one of `fields`. */
  rules: {
    blank: 'is missing',
    too_short: ({ min }) => `is too short: it needs at least ${min} characters`,
    too_long: ({ max }) => `is too long: it can have at most ${max} characters`,
    too_many_bytes: ({ max }) => `is too long: it can have at most ${max} bytes`,
    nul_character: 'contains a character that cannot be stored: type it again',
    control_character: 'contains an invisible character that disturbs the text around it: type it again',
    wrong: 'is wrong',
    mismatch: 'does not match the first: type it again',
    common_password: 'is one of the first that attackers try: choose three or four unrelated words',
    personal_password:
      'is made of your name, your address or the name of the site: choose words that have nothing to do with you',
    not_true_or_false: 'is either on or off',
    not_included: 'is not one of the choices',
    not_a_text: 'has to be a text',
    not_a_list: 'has to be a list',
    not_an_object: 'has to be an object',
    not_one_of: ({ values }) => `has to be one of ${values.join(', ')}`,
    days_out_of_range: ({ min, max }) => `has to be from ${min} to ${max} days`,
    not_an_amount: 'is not an amount like 49.00',
    not_a_date: 'is not a date',
    not_a_time: 'is not a date',
    in_the_past: 'is in the past: choose a later one',
    not_a_currency: 'is not the code of a currency: choose one from the list',
    as_before: 'is the same as before',
    not_after_today: 'must be tomorrow or later',
    not_a_mail_address: 'has to be like name@example.com',
    not_proved: 'has to be the e-mail address of one of your people who chose a password with a mailed link',
    not_a_webhook_address: 'has to begin with https://, and must not contain a password',
    private_address: 'leads into a private network: use a public address',
    not_a_url: 'is not an address like https://example.com/help',
    not_a_path: 'has to be like /old-page.html or /index.php?page=3, without spaces',
    served_path: 'is used by the site itself: choose another',
    own_path: 'already leads to this page',
    placeholders_missing: ({ names }) => `needs ${inBraces(names)}`,
    placeholder_unknown: ({ name, allowed }) => `cannot have {${name}}: choose from ${inBraces(allowed)}`,
    not_a_colour: 'is not a colour like #1f5f56',
    not_a_language: 'is not a language tag like en or pt-BR',
    not_a_time_zone: 'is not a time zone like Europe/Berlin',
    not_an_idempotency_key: 'has to be 1 to 255 letters, digits or signs without spaces',
    not_a_subdomain: 'can only have letters, digits and hyphens',
    hyphen_at_end: 'cannot begin or end with a hyphen',
    reserved: 'cannot be chosen: choose another',
    ip_address: 'is an IP address, not a name like www.example.com',
    has_port: 'has a port at its end: leave that out',
    not_a_host_name: 'has to be like www.example.com',
    not_a_whole_host_name: 'has to be complete, like www.example.com',
    of_this_installation: 'belongs to the operator of this service',
    missing: 'is no longer there',
    too_deep: 'is too far down: move it further up',
    below_itself: 'is the page itself or below it: choose another',
    no_room: ({ bytes }) =>
      `does not fit: the pages of this site, with their drafts and earlier versions, may take up ${fileSize(bytes)}. Ask your provider for more space`,
    plan_limit: ({ limit, used, max, seller }) =>
      `allows ${limitAmounts[limit](max)}, and you already have ${limitAmounts[limit](used)}. Ask ${seller} for a larger plan`,
    count_out_of_range: ({ min, max }) => `has to be a whole number from ${min} to ${max}`,
    unchanged: 'is the one you have',
    taken: 'is already taken: choose another',
    kept_from_others: () => 'is already taken: choose another',
    already_added: 'is already in your list',
    already_ended: 'no longer works: create a new one',
    already_sent: 'has already been sent',
    already_used: 'has already been used',
    not_csv: ({ line }) => `cannot be read as CSV: look at the quotes in line ${line}`,
    file_missing: 'has an image whose file is missing: upload it again there',
    ambiguous: 'is the name of several that differ only in capital letters: write it exactly',
    site_too_large: ({ pages, megabytes }) =>
      `is too large to be copied: it may have at most ${pages} pages with ${megabytes} MB of text`,
    too_many_lines: ({ max }) => `has more than ${max} lines: split it`,
    too_many_pages: ({ max }) => `has more than ${max} pages: split it`,
    not_a_zip: 'is not a ZIP archive that can be read',
    account_archive: 'has a whole website, from “Download everything”: ask your provider to import it',
    too_many_files: ({ max }) => `has more than ${max} files: split it`,
    too_many_images: ({ max }) => `has more than ${max} images: split it`,
    unpacks_too_large: () => 'is too large when it is unpacked: split it',
    unsafe_path: 'has a file name that is unsafe or not UTF-8: rename the file',
    encrypted_file: 'is encrypted: pack it again without a password',
    not_a_plain_file: 'is a link or another special file',
    unknown_file_type: 'is not a Markdown file, an HTML file or an image',
    unknown_compression: 'is compressed in a way that is not supported: use deflate',
    packed_too_densely: 'is compressed too much',
    duplicate_file: 'is in the archive twice, or differs from another file only in upper and lower case',
    not_utf8: 'is not UTF-8: save it again as UTF-8',
    damaged: 'is damaged',
    not_an_image: ({ why }) => `cannot be shown: ${why}`,
    more_failures: ({ count }) => `has ${count} more problems`,
    no_lines: 'needs a first line that names the columns, and customers below it',
    in_no_column: 'needs a column',
    in_earlier_line: ({ line }) => `is the same as in line ${line}`,
    copies_too_large: ({ pages, bytes, maxPages, maxBytes }) =>
      `would copy ${pages.toLocaleString('en-GB')} pages with ${fileSize(bytes)} of text and images from templates. It can copy at most ${maxPages.toLocaleString('en-GB')} pages and ${fileSize(maxBytes)}: split it, or choose a smaller template`,
    mailed_too_often: () => 'has been sent too many messages: try again tomorrow',
  } satisfies FieldWords,

  /** Texts for refusals by the service whose error code alone does not say what to do. */
  refusals: {
    undone_already: 'This has already been undone.',
    undo_overtaken: 'This can no longer be undone: something else has changed since.',
    suspended_by: ({ by, because }) =>
      because === null
        ? `${by} has suspended this site. They can tell you more.`
        : `${by} has suspended this site: ${because}`,
    deleted_by: ({ by, until }) =>
      `${by} has deleted this site. Until ${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' }).format(until)} they can still bring it back.`,
    customer_suspended_already: ({ because }) =>
      because === null
        ? 'Somebody has suspended this customer in the meantime, without a reason.'
        : `Somebody has suspended this customer in the meantime: ${because}`,
    customer_not_suspended_so: ({ because }) =>
      because === null
        ? 'Somebody has suspended this customer again in the meantime, without a reason.'
        : `Somebody has suspended this customer again in the meantime: ${because}`,
    impersonation_over: 'You are no longer signed in as this person.',
    not_while_impersonating:
      'This is not possible while you are signed in as another person. Only the people of this website can do it.',
    impersonation_forbidden: ({ customer }) => `${customer} does not allow people of your agency to sign in.`,
    customer_suspended: 'This customer is suspended. End the suspension first.',
    customer_has_customers: 'This customer has customers of its own. They have to be deleted first.',
    customers_nested_too_deeply: ({ max }) =>
      `Customers can have customers of their own, but only ${max} levels down. You are on the last level, so you cannot have customers.`,
    customer_deleted: 'Somebody has deleted this customer. Restore it first, under “Deleted customers”.',
    currency_in_use: ({ currency }) =>
      `Your customers pay in ${currency}. The currency stays as it is while somebody is on a plan with a price.`,
    too_many_plans: ({ max }) =>
      `You have ${max.toLocaleString('en-GB')} plans, and cannot add more. Offer a retired plan again instead.`,
    plan_is_default: ({ plan }) => `New customers are put on “${plan}”. Make another plan the default first.`,
    plan_retired: ({ plan }) => `“${plan}” has been retired. Offer it again, or choose another plan.`,
    template_retired: ({ template }) => `“${template}” is no longer offered. Offer it again, or choose another one.`,
    too_many_templates: ({ max }) => `You have ${max} templates, and cannot add more. Stop offering one of them first.`,
    template_changed: 'The template has changed in the meantime. Look at the changes again.',
    push_under_way: 'The websites made from this template are already being updated. Wait until that is done.',
    push_too_old: 'This update was more than 30 days ago, and can no longer be undone.',
    later_push: 'The websites have been updated again since then. Undo the later updates first.',
    site_too_large: ({ pages, megabytes }) =>
      `This website is too large to be copied: it may have at most ${pages} pages with ${megabytes} MB of text.`,
    no_brand: 'Save a brand first.',
    not_top_level: 'Only agencies that the operator of this service has set up can do that.',
    words_changed: 'Somebody else has changed this message in the meantime. Save again to replace their text.',
    brand_changed: 'Somebody else has changed the brand in the meantime. Save again to replace their changes.',
    import_running: 'Another import is running. Wait until it is done, or stop it.',
    archive_under_way: 'The archive is already being made.',
    customer_on_other_plan: ({ plan }) => `Somebody has put this customer on “${plan}” in the meantime.`,
    customer_on_plan: ({ plan }) => `This customer is already on “${plan}”.`,
    schedule_changed: ({ plan, day }) =>
      plan === null || day === null
        ? 'No change of plan is scheduled for this customer now: it has been made or cancelled in the meantime.'
        : `Somebody has scheduled another change in the meantime: to “${plan}” on ${plainDate(day)}.`,
    note_changed: ({ text }) =>
      `Somebody has changed this note in the meantime. Now it says: “${text}” Save again to replace that.`,
    too_many_notes: ({ max }) => `A customer can have ${max} notes. Delete one first.`,
    removed_too_long_ago: 'This was too long ago: it can be undone for 10 minutes.',
    image_removed_too_long_ago: 'This image was deleted too long ago. Upload it again.',
    mail_address_taken_since: 'Somebody else on this site now has this e-mail address. Invite them with another one.',
    domain_added_since: 'The domain has been added again since.',
    domain_lost_since:
      'Another site has since proved that the domain is theirs. Add it again, and prove that it is yours.',
    last_owner: ({ name }) => `${name} is the last owner. Make somebody else an owner first.`,
    address_in_use: ({ name }) =>
      `${name} has already signed in. Only they can change their address, in their profile.`,
    invitation_accepted: ({ name }) => `${name} has already accepted the invitation.`,
    second_factor_exists: 'There is already a second factor: turn it off first.',
    nothing_to_confirm: 'This has already been confirmed, or was started again elsewhere. Reload the page.',
    too_many_domains: ({ max }) => `The website has ${max} domains. Remove one first.`,
    too_many_keys: ({ max }) =>
      `The website has ${max} keys, and cannot have more. Revoke some, and try again tomorrow.`,
    too_many_webhooks: ({ max }) => `The website has ${max} webhooks. Remove one first.`,
    too_many_passkeys: ({ max }) => `You have ${max} passkeys. Remove one first.`,
    passkey_exists: 'This device already has a passkey for you.',
    passkeys_impossible:
      'Passkeys do not work at this address: they need HTTPS and a host name. Sign in with your password.',
    passkey_unknown: 'This passkey is no longer known here. Sign in with your password.',
    passkey_not_verified: 'This passkey was not accepted. Try again, or sign in with your password.',
    passkey_too_late: 'That took too long. Try it again.',
    passkey_of_another_site: 'This passkey is for another site. Choose another, or sign in there.',
    outcome_unknown: 'We could not find out whether this was done. Reload the page and look before you try again.',
    previews_busy: 'Many previews are being made at the moment. Try again in a few seconds.',
    images_busy: 'Many images are being uploaded at the moment. Try again in a few seconds.',
    no_room_for_images: ({ bytes }) =>
      `There is no space left: the images of this site may take up ${fileSize(bytes)}. Delete some that you do not need.`,
    empty_file: 'The file is empty. Check whether it opens on your device.',
    not_an_image: `This file is not an image. ${IMAGE_KINDS} To show a video, embed it or link to it.`,
    not_a_web_image: `This file is not an image that can be shown on the web. ${IMAGE_KINDS}`,
    svg_image: 'This is an SVG drawing, which can contain programs. Save it as PNG, and upload that.',
    heic_image: 'This image is in the HEIC format, which only Apple devices show. Save it as JPEG, and upload that.',
    damaged_image:
      'The image is damaged, or its file name has the wrong ending. Open it in an image program, and save it again.',
    costly_image:
      'The image is stored in a way that takes very long to read. Open it in an image program, and save it again.',
    slow_image: 'The image takes too long to read. Make it smaller first.',
    image_too_large: ({ bytes }) => `The image is larger than ${fileSize(bytes)}. Make it smaller first.`,
    image_too_wide: ({ max }) =>
      `The image is larger than ${max.toLocaleString('en-GB')} pixels on one side. Make it smaller, and upload it again.`,
    too_many_pixels: ({ max }) =>
      `The image has more than ${max} million pixels. Make it smaller, and upload it again.`,
    too_many_frames: ({ max }) => `The animation has more than ${max} frames. Make it shorter, and upload it again.`,
    unknown_import_file:
      'This file cannot be imported. Choose the export of a WordPress or Ghost site, or a ZIP archive of Markdown and HTML files.',
  } satisfies RefusalWords,

  images: {
    title: 'Images',
    text: 'All images of your site, for any of its pages. Each image is made small enough for phones and sharp enough for large screens.',
    viewOnly: 'You can look at the images. To change them, ask an owner for another role.',
    emptyTitle: 'No images yet',
    emptyText: 'Drop photos here, or choose them. You can then insert them into any page.',
    undescribed: 'Not described yet',
    uploadedUndescribed: (count: number) =>
      count === 1 ? '1 new image is not described yet' : `${count} new images are not described yet`,
    describeNext: (count: number) => (count === 1 ? 'Describe it' : 'Describe the first'),
    decoration: 'Only decoration',
    altHelp:
      'For people who cannot see it, and for search engines. Pages that already show it keep their own descriptions.',
    shownOn: 'Shown on',
    unused: 'No page yet.',
    moreUses: (count: number, hasMore: boolean) => `and ${hasMore ? 'more than ' : ''}${pages(count)} more`,
    file: 'File',
    size: 'Size',
    pixels: (width: number, height: number, bytes: string) => `${width} × ${height} pixels, ${bytes} in all sizes`,
    uploaded: 'Uploaded',
    uploadedBy: (when: string, who: string) => `${when}, by ${who}`,
    copyAddress: 'Copy the address',
    remove: 'Delete',
  },

  settings: {
    title: 'Settings',
    notForRole: {
      title: 'You cannot open this',
      text: 'Your role does not include it. Ask an admin or owner of the site to do it for you, or to change your role.',
    },
    unsaved: {
      restored: 'Your unsaved changes are back.',
      discard: 'Discard these changes',
      discarded: 'The changes are discarded.',
    },
    usage: 'What your plan allows, and how much of it you use. For more, ask your provider for a larger plan.',
    site: {
      title: 'Site',
      name: 'Name of the site',
      editor: 'Editor for new pages',
      editorVisual: 'Visual: what you see is what you get',
      editorMarkdown: 'Markdown: plain text with simple marks',
      language: 'Language of the site',
      noLanguage: 'No language found. Try fewer letters.',
      timeZone: 'Time zone',
      noTimeZone: 'No time zone found. Try the name of a large city nearby.',
      timeZoneHelp:
        'For the dates on your pages. If you have customers, it also decides when their plans change and their trials end. This app shows times as your device does.',
    },
    look: {
      title: 'Look',
      theme: 'Theme',
      themes: {
        typographic: { name: 'Typographic', text: 'For reading' },
        business: { name: 'Business', text: 'For services and shops' },
        portfolio: { name: 'Portfolio', text: 'For your work' },
        documentation: { name: 'Documentation', text: 'All pages at the side' },
      },
      accent: 'Colour',
      accentHelp: 'Made lighter or darker where text would be hard to read.',
      accentWrong: 'A colour looks like #1f5f56.',
      pick: 'Pick a colour from the screen',
      secondButton: 'Second button on the home page',
      secondButtonHelp: 'The first button leads to the page after your home page.',
      noSecondButton: 'None',
      notYet: 'Not saved yet.',
      site: 'Your home page in this look',
    },
    domains: {
      title: 'Domains',
      text: 'Use an address of your own, such as www.example.com. Add it here. You then see which entries to create at the company where you bought the address: look for “DNS” there, or ask their support. Most companies ask for the name of an entry, some for its full name.',
      add: 'Your domain',
      submit: 'Add',
      primary: 'Main address',
      app: 'App of your customers',
      verified: 'Leads to the main address',
      adding: 'Adding…',
      notAdded: (host: string) => `${host} was not added`,
      waiting: 'Not checked yet',
      notProved: 'Not verified yet',
      proved: 'Verified, not in use yet',
      stays: 'The domain is still yours, but correct its entries soon. Otherwise another site could claim it.',
      cname: 'Create this entry. It proves that the domain is yours, and leads visitors here.',
      proofOnly:
        'Create this one only if visitors come here in another way, such as through a CDN. It proves that the domain is yours, but leads nobody here.',
      apexProof: 'Create this entry first. It proves that the domain is yours.',
      apexAddresses:
        'Then create these entries, which lead visitors here. Remove other entries of type A and AAAA with this name.',
      apexAlias:
        'If your provider has entries of type ALIAS or ANAME, this one is better: create it instead of A and AAAA.',
      apexAliasOnly:
        'Then create this entry, which leads visitors here; some providers call it ANAME. If yours has neither, ask your provider for the addresses for entries of type A and AAAA.',
      looking:
        'We check for the entries automatically. This page shows when we have found them, which can take some hours.',
      useAnyway: 'Use it anyway',
      recordType: 'Type',
      recordName: 'Name',
      recordFullName: 'Full name',
      recordValue: 'Value',
      copyName: (type: string) => `Copy the name of the ${type} record`,
      copyFullName: (type: string) => `Copy the full name of the ${type} record`,
      copy: (type: string) => `Copy the value of the ${type} record`,
      verify: 'Check now',
      checked: (host: string, { isProved, isInOrder }: { isProved: boolean; isInOrder: boolean }) =>
        isInOrder
          ? `${host} is checked: the record is there, and the domain is verified.`
          : isProved
            ? `${host} is checked: it is verified, but something still needs to be corrected.`
            : `${host} is checked: it is not verified yet. It can take hours until we see a change in the DNS.`,
      remove: 'Remove',
      removeOf: (host: string) => `Remove ${host}`,
      removed: (host: string, isVerified: boolean) =>
        isVerified ? `${host} is removed. Visitors no longer find your site there.` : `${host} is removed.`,
      restored: (host: string) => `${host} is yours again.`,
      empty: 'No domain of your own yet. Visitors find your site at the address it came with.',
    },
    people: {
      title: 'People',
      text: 'Everybody who looks after this site, each with a sign-in of their own.',
      invite: 'Invite somebody',
      name: 'Name',
      email: 'E-mail address',
      role: 'Role',
      roleOf: (name: string) => `Role of ${name}`,
      roles: { viewer: 'Viewer', editor: 'Editor', admin: 'Admin', owner: 'Owner', accountant: 'Accountant' },
      roleTexts: {
        viewer: 'Viewers see all pages, including hidden ones, and change nothing.',
        editor: 'Editors write, add, move and delete pages.',
        admin: 'Admins do what editors do, and look after people, settings and the look.',
        owner: 'Owners do everything. Only owners can make somebody an owner.',
        accountant: 'Accountants see your customers and your revenue, and change nothing. They do not see pages.',
      },
      send: 'Send the invitation',
      tooMany: 'Your site has sent many invitations, or several to this address. ',
      invited: (email: string) => `An invitation is on its way to ${email}. It works for 7 days.`,
      inviting: 'Inviting…',
      notInvited: (name: string, email: string) => `${name} (${email}) was not invited`,
      notInvitedAgain: (name: string, email: string) => `${name} (${email}) was not invited again`,
      again: 'Send again',
      againTo: (name: string) => `Send again to ${name}`,
      pending: 'Invited',
      you: (name: string) => `${name} (you)`,
      seen: (when: string) => `last seen ${when}`,
      changed: (name: string, role: string) => `${name} has the role “${role}” now.`,
      changedWithoutKeys: (name: string, role: string, count: number) =>
        `${name} has the role “${role}” now, and has lost ${keys(count)}.`,
      removed: (name: string, count: number) =>
        count > 0
          ? `${name} is removed, with ${keys(count)}. What they wrote stays.`
          : `${name} is removed. What they wrote stays.`,
      restored: (name: string, hasAccepted: boolean) =>
        hasAccepted
          ? `${name} is back, and can sign in again.`
          : `${name} is back. Send the invitation again: the earlier one no longer works.`,
      remove: 'Remove',
      removeOf: (name: string) => `Remove ${name}`,
    },
    keys: {
      title: 'API keys',
      text: 'A key lets a program read and write your pages through the API. Give each program its own. You need one only if somebody asks you for it.',
      name: 'What is it for?',
      example: 'For example: newsletter',
      scopes: 'What may it do?',
      everything: 'Everything',
      scopeNames: {
        'pages:read': 'Read pages',
        'pages:write': 'Read and change pages',
        'images:read': 'Read images',
        'images:write': 'Read and upload images',
        'customers:read': 'Read customers and plans',
        'customers:write': 'Read, create and change customers',
        'plans:read': 'Read plans and their prices',
        'plans:write': 'Create and change plans and prices',
        'revenue:read': 'Read plan, customer counts and revenue',
        'domains:read': 'Read domains',
        'domains:write': 'Add, verify and remove domains',
        'users:read': 'Read people',
        'users:write': 'Invite, change and remove people',
        'settings:read': 'Read settings',
        'settings:write': 'Change settings and look',
        'events:read': 'Read who did what',
        'webhooks:read': 'Read webhooks and what they sent',
        'webhooks:write': 'Add, change and remove webhooks',
        'keys:read': 'Read the list of API keys',
        'keys:write': 'Create and revoke API keys',
      } satisfies Record<Scope, string>,
      limitedTo: (names: readonly string[]) =>
        `may only ${names.map((name) => name.charAt(0).toLowerCase() + name.slice(1)).join('; ')}`,
      submit: 'Create a key',
      issuing: 'Your new key is being created…',
      notIssued: (name: string) => `“${name}” was not created`,
      unseen: (name: string) =>
        `The key “${name}” was created after you left the list of keys, and can no longer be shown. Undo that, or replace the key in the settings.`,
      notReplaced: (name: string) => `“${name}” was not replaced`,
      unseenSuccessor: (name: string) =>
        `“${name}” was replaced after you left the list of keys, and the new key can no longer be shown. Undo that, and replace the old key again. It still works for a day.`,
      revokedUnseen: (name: string) => `The key “${name}”, which nobody has seen, is revoked.`,
      issued: 'This is your new key. Copy it now: it is shown only once.',
      empty:
        'No keys yet, so no program has access. Enter above what a key is for, create it, and copy it into the program.',
      expired: 'Expired',
      revoked: 'Revoked',
      issuedBy: (who: string, withKey: string | null, when: string) =>
        withKey === null ? `Created by ${who}, ${when}` : `Created with the key “${withKey}” of ${who}, ${when}`,
      neverUsed: 'never used',
      used: (when: string, ip: string | null) => `last used ${when}${ip ? ` from ${ip}` : ''}`,
      endsAt: (when: string) => `expires ${when}`,
      rotate: 'Replace',
      rotateOf: (name: string) => `Replace ${name}`,
      revoke: 'Revoke',
      revokeOf: (name: string) => `Revoke ${name}`,
      gone: (name: string) => `“${name}” is revoked. The program that uses it no longer has access.`,
      revokeTitle: (name: string) => `Revoke “${name}”?`,
      revokeText: (name: string, count: number) =>
        count === 1
          ? `A key that was created with it still works. If somebody else may have used “${name}”, revoke both. That cannot be undone.`
          : `${count} keys that were created with it still work. If somebody else may have used “${name}”, revoke all of them. That cannot be undone.`,
      revokeOnly: 'Revoke only this key',
      revokeAll: (count: number) => (count === 1 ? 'Revoke both' : 'Revoke all of them'),
      allGone: (name: string) => `“${name}” and all keys that were created with it are revoked.`,
      restored: (name: string) => `“${name}” works again.`,
    },
    archive: {
      title: 'Download everything',
      text: 'Get the whole website in one file: pages with drafts and earlier versions, images, people and settings. It contains no passwords. With it, you can move to another provider of this service, or keep a copy.',
      request: 'Make the archive',
      again: 'Make a new one',
      againText: 'A new archive replaces this one.',
      waiting: 'The archive is being made',
      waitingText: (who: string, when: string) =>
        `${who} asked for it on ${when}, and gets a message when it is ready. You can leave this page.`,
      ready: 'The archive is ready',
      readyText: (when: string, until: string) => `It was made on ${when}. You can download it until ${until}.`,
      download: (bytes: number) => `Download (${fileSize(bytes)})`,
      failed: 'The archive could not be made',
      failedText: 'Try again. If it fails again, tell your provider.',
    },
    webhooks: {
      title: 'Webhooks',
      text: 'A webhook tells one of your programs what happens here. Each change is signed, and sent to the address of the program at once. You need a webhook only if somebody asks you for it.',
      url: 'Address of the program',
      events: 'Which events?',
      all: 'All events',
      kinds: {
        page: 'Pages',
        media: 'Images',
        customer: 'Customers',
        plan: 'Plans',
        user: 'People',
        domain: 'Domains',
        mail: 'Messages that could not be sent',
        settings: 'Settings',
      } satisfies Record<EventKind, string>,
      submit: 'Add a webhook',
      secret: 'This is the secret of the webhook. Copy it into the program now: it is shown only once.',
      empty: 'No webhooks yet.',
      added: (when: string) => `added ${when}`,
      failing: (when: string) => `failing since ${when}`,
      next: (when: string) => `next attempt ${when}`,
      isFailing: 'Failing',
      paused: 'Paused',
      notDone: 'That did not work',
      resume: 'Try now',
      resumeOf: (url: string) => `Try ${url} now`,
      resumed: 'We are trying again. The webhook gets everything that has happened since.',
      deliveries: 'Deliveries',
      deliveriesOf: (url: string) => `Deliveries to ${url}`,
      noDeliveries: 'Nothing has been sent in the last 14 days.',
      test: 'Send a test',
      testOf: (url: string) => `Send a test to ${url}`,
      renew: 'New secret',
      renewOf: (url: string) => `New secret for ${url}`,
      change: 'Change',
      changeOf: (url: string) => `Change ${url}`,
      changeTitle: 'Change the webhook',
      changeText: 'Events that have not been sent yet go to the new address. The secret stays.',
      changed: 'The webhook is changed.',
      save: 'Save',
      remove: 'Remove',
      removeOf: (url: string) => `Remove ${url}`,
      removed: 'The webhook is removed. Nothing more is sent there.',
      restored: 'The webhook is back, and gets what has happened in the meantime.',
      forgotten: 'An event that is no longer kept',
      noAnswer: 'No answer',
      took: (milliseconds: number) => `${milliseconds.toLocaleString('en-GB')} ms`,
      details: 'Details',
      replay: 'Send again',
      resend: 'Send everything from here again',
      replayed: 'The event is sent again. The answer is at the top of the list.',
      resent: 'Everything from this event on is sent again.',
      answer: 'The answer:',
      emptyAnswer: 'The answer was empty.',
    },
    log: {
      title: 'Log',
      text: 'Who did what on this site, when and from where. Entries are kept for 400 days.',
      by: { label: 'By whom', all: 'Everybody', people: 'People', programs: 'Programs' },
      empty: {
        all: 'Nothing has happened yet.',
        people: 'Nobody has done anything yet.',
        programs: 'No program has done anything yet.',
      },
      more: 'Show earlier entries',
      from: (ip: string) => `from ${ip}`,
      key: (name: string, who: string) => `${who} (key “${name}”)`,
      keyEnd: (last4: string) => `…${last4}`,
      became: (before: string, after: string) => `${before} → ${after}`,
      pages: (count: number) => `with ${pages(count - 1)} below`,
      fromTemplate: (name: string) => `template “${name}”`,
      until: (clock: string) => `until ${clock} at the latest`,
      restoredPage: 'restored from the trash',
      inTrash: 'in the trash now',
      nobody: { operator: 'The operator', somebody: 'Somebody', service: 'The service' } as Record<string, string>,
      actions: {
        'page.created': 'created',
        'page.changed': 'changed',
        'page.published': 'published',
        'page.unpublished': 'unpublished',
        'page.moved': 'moved',
        'page.duplicated': 'duplicated',
        'page.deleted': 'deleted',
        'page.restored': 'restored an earlier version of',
        'page.undone': 'undid a change of',
        'page.discarded': 'permanently deleted',
        'media.discarded': 'permanently deleted the image',
        'trash.emptied': 'emptied the trash',
        'media.uploaded': 'uploaded',
        'media.described': 'described the image',
        'media.deleted': 'deleted the image',
        'media.restored': 'restored the image',
        'settings.changed': 'changed the settings',
        'account.created': 'created this website',
        'account.archive_requested': 'asked for an archive of everything',
        'account.exported': 'made an archive of everything',
        'account.archive_downloaded': 'downloaded everything',
        'account.imported': 'created this website from an archive',
        'account.plan_changed': 'changed the plan of this website',
        'account.trial_ended': 'ended the trial of this website',
        'account.plan_change_scheduled': 'scheduled another plan for this website',
        'account.plan_change_cancelled': 'cancelled the scheduled plan of this website',
        'account.suspended': 'suspended this website',
        'account.restored': 'ended the suspension of this website',
        'account.deletion_started': 'deleted this website, which can be restored for 30 days',
        'account.deletion_undone': 'restored this website after its deletion',
        'account.instructions_sent': 'sent the login instructions again for this website',
        'customer.created': 'created the customer',
        'customer.changed': 'changed the settings of the customer',
        'customer.plan_changed': 'changed the plan of the customer',
        'customer.trial_ended': 'ended the trial of the customer',
        'customer.plan_change_scheduled': 'scheduled another plan for the customer',
        'customer.plan_change_cancelled': 'cancelled the scheduled plan of the customer',
        'customer.plan_change_failed': 'could not make the scheduled change of plan of the customer',
        'customer.suspended': 'suspended the customer',
        'customer.restored': 'ended the suspension of the customer',
        'customer.instructions_sent': 'sent the login instructions again to the customer',
        'customer.mail_failed': 'could not mail the login instructions to the customer',
        'customer.limit_reached': 'noticed a customer at a limit of its plan:',
        'customer.note_added': 'added a note on the customer',
        'customer.note_changed': 'changed a note on the customer',
        'customer.note_deleted': 'deleted a note on the customer',
        'customer.note_restored': 'restored a note on the customer',
        'customer.deletion_started': 'deleted the customer (30 days to restore)',
        'customer.deletion_undone': 'restored the deleted customer',
        'customer.deleted': 'permanently deleted the customer',
        'redirect.added': 'added a redirect from',
        'redirect.removed': 'removed the redirect from',
        'mail.failed': 'could not send a message to',
        'webhook.added': 'added a webhook to',
        'webhook.changed': 'changed the webhook to',
        'webhook.removed': 'removed the webhook to',
        'webhook.restored': 'restored the webhook to',
        'webhook.paused': 'paused the webhook to',
        'webhook.resumed': 'resumed the webhook to',
        'webhook.secret_changed': 'changed the secret of the webhook to',
        'webhook.resent': 'sent earlier events again to',
        'customer.key_issued': 'created an API key of the customer',
        'customer.key_revoked': 'revoked an API key of the customer',
        'customer.impersonation_started': 'signed in as a person of the customer',
        'customer.impersonation_ended': 'ended the sign-in as a person of the customer',
        'impersonation.started': 'signed in as',
        'impersonation.ended': 'ended the sign-in as',
        'impersonation.allowed': 'allowed the agency to sign in',
        'impersonation.forbidden': 'forbade the agency to sign in',
        'impersonation.mail_turned_on': 'turned on messages about sign-ins of the agency',
        'impersonation.mail_turned_off': 'turned off messages about sign-ins of the agency',
        'import.started': 'began to import customers from',
        'import.stopped': 'stopped the import of',
        'import.resumed': 'continued the import of',
        'brand.changed': 'changed the brand',
        'brand.removed': 'removed the brand',
        'domain.use_changed': 'changed the use of the domain',
        'brand.words_changed': 'changed the text of messages',
        'brand.words_reset': 'restored the default text of messages',
        'brand.image_uploaded': 'uploaded a logo or an icon',
        'page.updated_from_template': 'updated from a template',
        'page.added_from_template': 'added from a template',
        'page.template_undone': 'undid a template update of',
        'template.offered': 'offered the template',
        'template.changed': 'changed the template',
        'template.moved': 'moved the template',
        'template.retired': 'stopped offering the template',
        'template.restored': 'offered the template again:',
        'template.pushed': 'began to update the websites made from the template',
        'template.push_stopped': 'stopped updating the websites made from the template',
        'template.push_undone': 'began to undo the update from the template',
        'template.push_undo_stopped': 'stopped undoing the update from the template',
        'plan.created': 'created the plan',
        'plan.renamed': 'renamed the plan',
        'plan.changed': 'changed the plan',
        'plan.moved': 'moved the plan',
        'plan.made_default': 'put new customers on the plan',
        'plan.retired': 'retired the plan',
        'currency.changed': 'chose the currency',
        'plan.limit_reached': 'noticed that this website is at a limit of the plan',
        'plan.price_changed': 'changed the price of the plan',
        'plan.price_change_undone': 'cancelled the new price of the plan',
        'plan.restored': 'offered the plan again:',
        'user.invited': 'invited',
        'user.completed': 'entered their name, address and password:',
        'user.changed': 'changed',
        'user.removed': 'removed',
        'user.restored': 'restored',
        'key.issued': 'created the key',
        'key.rotated': 'replaced the key',
        'key.revoked': 'revoked the key',
        'key.restored': 'restored the key',
        'domain.added': 'added the domain',
        'domain.verified': 'verified the domain',
        'domain.removed': 'removed the domain',
        'domain.restored': 'restored the domain',
        'domain.lost': 'took over the domain',
        'domain.outage': 'found that visitors no longer get here from the domain',
        'session.started': 'signed in:',
        'session.ended': 'ended a session of',
        'sessions.ended': 'signed out everywhere:',
        'password.forgotten': 'asked for a new password for',
        'password.reset': 'chose a new password with a mailed link:',
        'invitation.accepted': 'accepted the invitation:',
        'sign_in_link.made': 'made a link that signs in',
        'password.changed': 'changed the password of',
        'passkey.added': 'added the passkey',
        'passkey.renamed': 'renamed the passkey, now',
        'passkey.removed': 'removed the passkey',
        'passkey.restored': 'restored the passkey',
        'email.asked': 'asked for a new e-mail address for',
        'email.changed': 'confirmed the new e-mail address of',
        'second_factor.added': 'added a second factor for',
        'second_factor.removed': 'removed the second factor of',
      } as Record<string, string>,
    },
    passkeys: {
      title: 'Passkeys',
      text: 'Sign in with your fingerprint, your face or the code of your device.',
      notHere:
        'Passkeys do not work at the address of this service: they need HTTPS and a host name. Tell your provider.',
      notInBrowser: 'This browser does not support passkeys. Try a newer one.',
      name: 'Name of the new passkey',
      add: 'Add a passkey',
      added: (name: string) => `“${name}” is added. You can sign in with it now.`,
      backedUp: 'Synchronised',
      since: (when: string) => `since ${when}`,
      neverUsed: 'never used',
      used: (when: string) => `last used ${when}`,
      rename: 'Rename',
      renamed: (name: string) => `It is called “${name}” now.`,
      renameOf: (name: string) => `Rename ${name}`,
      newName: (name: string) => `New name for ${name}`,
      remove: 'Remove',
      removeOf: (name: string) => `Remove ${name}`,
      removed: (name: string) => `“${name}” is removed, and no longer signs you in. Delete it on the device, too.`,
      restored: (name: string) => `“${name}” signs you in again.`,
    },
    secondFactor: {
      title: 'Second factor',
      on: 'On: signing in asks for a code from your authenticator app.',
      off: 'After your password, you enter a code from an app on your phone. Then nobody can sign in with your password alone.',
      add: 'Set up',
      remove: 'Turn off',
      removed: 'The second factor is off.',
      scan: 'Scan this with your authenticator app, or on the same device',
      qrCode: 'QR code with the secret for your authenticator app',
      type: 'If you cannot scan it, type this secret into the app:',
      open: 'open it in the app.',
      code: 'The code the app shows',
      confirm: 'Confirm',
      codes: 'Recovery codes: keep them where you would find them without your phone. Each works once.',
    },
    aboutYou: {
      title: 'Name and e-mail address',
      name: 'Your name',
      renamed: (name: string) => `Your name is “${name}” now.`,
      present: (email: string) => `You sign in as ${email}.`,
      email: 'New e-mail address',
      send: 'Send a link to this address',
      asked: (email: string, present: string) =>
        `A link is on its way to ${email}. It works once, for 30 minutes. Until you open it, you sign in as ${present}.`,
    },
    you: {
      title: 'You',
      text: 'Your name, and how you sign in. These settings are about you, not about the site.',
      password: 'Password',
      passwordHelp: 'At least 8 characters.',
      newPassword: 'New password',
      confirmation: 'Repeat the new password',
      change: 'Change the password',
      passwordChanged: 'Your password is changed. You are signed out everywhere else.',
      sessions: 'Where you are signed in',
      thisOne: 'This device',
      lastSeen: (when: string) => `last seen ${when}`,
      end: 'Sign out',
      ended: (device: string) => `${device} is signed out.`,
      everywhere: 'Sign out everywhere',
      unknownBrowser: 'Unknown program',
      device: (browser: string, system: string) => `${browser} on ${system}`,
    },
  },
};
