import { megabytes } from '../megabytes.ts';
import { type Addressed, emailTemplate } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface ArchiveReady extends Addressed {
  bytes: number;
}

/** Returns the message that an account's archive, which the user has requested, can be downloaded. */
export function archiveReady(values: ArchiveReady): Message {
  const to = withShortNames(values);
  return emailTemplate(to, {
    kind: 'archive_ready',
    heading: 'Your archive is ready',
    // The link contains no token: the user has to be signed in.
    action: { label: 'Download it', path: '/settings/archive' },
    facts: [{ label: 'Size', value: megabytes(values.bytes) }],
    footer: `You get this message because you have asked for the archive of the website ${to.accountName}.`,
  });
}
