import { listOutbox } from '../mail/list-outbox.ts';
import { previewRecovery, recover } from '../operations/recover.ts';
import { command } from './command.ts';
import { counted, printable, table } from './output.ts';

/** How many messages are listed; `mail list` prints all of them. */
const MAX_LISTED_MESSAGES = 100;

export const recoveredCommand = command({
  about: 'Makes a database safe to use after it was restored to an earlier moment.',
  details:
    'Run it after a point-in-time recovery, and after restoring a snapshot of the disk or a copy of the files;\n' +
    'restore does the same by itself. With PostgreSQL the service may be running; with SQLite, stop it first. Answers from\n' +
    'after that moment become stale in all caches. Everybody is signed out, and mailed links stop working. Queued mail is\n' +
    'listed: it may have been sent before, and is sent again. Without --yes, the command only shows what it would do.',
  options: { yes: { type: 'boolean', about: 'Do it.' } },
  example: '--yes',
  mayTakeLong: true,
  async run({ db, values }) {
    const isDone = values.yes === true;
    const { accounts, sessions, links, queuedMail } = isDone ? await recover(db) : await previewRecovery(db);
    const messages = await listOutbox(db, { status: 'queued', limit: MAX_LISTED_MESSAGES });
    const mail = messages.map(({ id, to_email, subject }) => ({ id: `message_${id}`, to: to_email, subject }));
    const text = [
      isDone ? 'Done:' : 'The command would:',
      `- raise the versions of ${counted(accounts, 'account')}, so that no answer from after that moment counts as current`,
      '- skip ids, so that no id from after that moment is used again',
      `- end ${counted(sessions, 'session')} and ${counted(links, 'mailed link')}`,
      ...(queuedMail > 0
        ? [
            `${counted(queuedMail, 'message')} ${queuedMail === 1 ? 'is' : 'are'} queued. Queued mail may have been sent before, and is sent again:`,
            table(
              ['ID', 'TO', 'SUBJECT'],
              mail.map(({ id, to, subject }) => [id, to, printable(subject)]),
              '',
            ),
            ...(queuedMail > mail.length ? ['mail list --status queued lists all of them.'] : []),
          ]
        : ['No mail is queued.']),
      ...(isDone ? [] : ['Nothing was changed. Run the command again with --yes.']),
    ].join('\n');
    const json = { done: isDone, accounts, sessions, links, queued_mail: queuedMail, messages: mail };
    return { text, json, exitCode: isDone ? 0 : 1 };
  },
});
