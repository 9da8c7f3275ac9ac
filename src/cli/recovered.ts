import { listOutbox } from '../mail/list-outbox.ts';
import { previewRecovery, recover } from '../operations/recover.ts';
import { command } from './command.ts';
import { counted, printable, table } from './output.ts';

/** How many messages are listed; `mail list` prints all of them. */
const MAX_LISTED_MESSAGES = 100;

export const recoveredCommand = command({
  about: 'Makes a database safe to use after it was set back to an earlier moment.',
  details:
    'Run it after a recovery to a point in time, and after going back to a snapshot of the disk or a copy of the files;\n' +
    'restore does the same by itself. With PostgreSQL the service may run, with SQLite stop it first. What was answered\n' +
    'after that moment becomes stale in all caches. Everybody is signed out, and mailed links stop working. Queued mail is\n' +
    'listed: it may have been sent before, and is sent again. Without --yes, it only tells what it would do.',
  options: { yes: { type: 'boolean', about: 'Do it.' } },
  example: '--yes',
  mayTakeLong: true,
  async run({ db, values }) {
    const isDone = values.yes === true;
    const { accounts, sessions, links, queuedMail } = isDone ? await recover(db) : await previewRecovery(db);
    const messages = await listOutbox(db, { status: 'queued', limit: MAX_LISTED_MESSAGES });
    const mail = messages.map(({ id, to_email, subject }) => ({ id: `message_${id}`, to: to_email, subject }));
    const text = [
      isDone ? 'Done:' : 'This would be done:',
      `- raise the versions of ${counted(accounts, 'account')}, so that no answer from after the recovery counts as current`,
      '- skip ids, so that none that was given out after that moment is given out again',
      `- end ${counted(sessions, 'session')} and ${counted(links, 'mailed link')}`,
      ...(queuedMail > 0
        ? [
            `${counted(queuedMail, 'message')} ${queuedMail === 1 ? 'is' : 'are'} queued, and may have been sent before. What is queued is sent again:`,
            table(
              ['ID', 'TO', 'SUBJECT'],
              mail.map(({ id, to, subject }) => [id, to, printable(subject)]),
              '',
            ),
            ...(queuedMail > mail.length ? ['mail list --status queued lists all of them.'] : []),
          ]
        : ['No mail is queued.']),
      ...(isDone ? [] : ['Nothing was changed. Run it again with --yes.']),
    ].join('\n');
    const json = { done: isDone, accounts, sessions, links, queued_mail: queuedMail, messages: mail };
    return { text, json, exitCode: isDone ? 0 : 1 };
  },
});
