import { megabytes } from '../megabytes.ts';
import { emailTemplate, type Sender } from './email-template.ts';
import type { Message } from './outbox.ts';
import { withShortNames } from './plain-words.ts';

interface ArchiveReady extends Sender {
  userName: string;
  userEmail: string;
  accountName: string;
  bytes: number;
}

/** Returns the message that the archive of an account, for which the person has asked, can be downloaded. */
export function archiveReady(values: ArchiveReady): Message {
  const { userName, userEmail, accountName, bytes } = withShortNames(values, ['userName', 'accountName']);
  return emailTemplate({
    accent: values.accent,
    replyTo: values.replyTo,
    brand: values.brand,
    fromName: accountName,
    toName: userName,
    toEmail: userEmail,
    heading: 'Your archive is ready',
    kind: 'archive_ready',
    values: { name: userName, site: accountName },
    // It opens nothing by itself: the person has to be signed in.
    action: { label: 'Download it', path: '/settings/archive' },
    facts: [{ label: 'Size', value: megabytes(bytes) }],
    footer: `You get this message because you have asked for the archive of the website ${accountName}.`,
  });
}
