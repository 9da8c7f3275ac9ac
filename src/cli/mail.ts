import { formatAccountId } from '../accounts/account.ts';
import type { Trx } from '../db/database.ts';
import { AppError } from '../errors.ts';
import { listOutbox, type OutboxFilter, type OutboxListing } from '../mail/list-outbox.ts';
import { retryFailedMail, retryKeptMail, retryMail, retryWaitingMail } from '../mail/retry-mail.ts';
import { readBatches } from '../operations/read-in-batches.ts';
import { parseId } from '../parse-id.ts';
import { command, type Group, OptionError, onlyAccountOption, UsageError } from './command.ts';
import { findAccount } from './find-account.ts';
import { mapBatches } from './listing.ts';
import { time } from './output.ts';

const statuses = ['queued', 'sent', 'kept', 'failed'] as const;

const list = command({
  about: 'Lists messages, newest first.',
  details: 'Kept messages were written to files because SMTP_URL was not set: nobody has received them.',
  options: {
    status: { type: 'string', value: statuses.join('|'), about: 'Only messages with this status.' },
    account: onlyAccountOption,
    limit: { type: 'string', value: '100', about: 'The maximum number of messages. Default: 100.' },
  },
  example: '--status failed',
  async run({ db, values }) {
    const status = statuses.find((known) => known === values.status);
    if (values.status !== undefined && !status) {
      throw new OptionError('status', `is not one of ${statuses.join(', ')}`);
    }
    const limit = values.limit ?? '100';
    if (!/^[1-9]\d{0,5}$/.test(limit)) {
      throw new OptionError('limit', 'is not a number from 1 to 999999');
    }
    const filter: OutboxFilter = { limit: Number(limit) };
    if (status) filter.status = status;
    if (values.account !== undefined) filter.accountId = (await findAccount(db, values.account)).id;
    let left = filter.limit;
    const messages = readBatches<OutboxListing>(async (last, part) => {
      const listed = await listOutbox(db, { ...filter, ...(last && { before: last.id }), limit: Math.min(left, part) });
      left -= listed.length;
      return listed;
    });
    const show = (message: OutboxListing) => ({
      id: messageId(message.id),
      account_id: formatAccountId(message.account_id),
      account_subdomain: message.subdomain,
      to: message.to_email,
      reply_to: message.reply_to,
      subject: message.subject,
      status: message.status,
      attempts: message.attempts,
      created_at: time(message.created_at),
      due_at: message.status === 'queued' ? time(message.due_at) : null,
      sent_at: time(message.sent_at),
      last_error: message.last_error,
    });
    return {
      listing: {
        name: 'messages',
        head: ['ID', 'ACCOUNT', 'TO', 'SUBJECT', 'STATUS', 'ATTEMPTS', 'CREATED', 'LAST ERROR'],
        empty: 'No messages match.',
        parts: mapBatches(mapBatches(messages, show), (message) => ({
          cells: [
            message.id,
            message.account_subdomain,
            message.to,
            message.subject,
            message.status,
            String(message.attempts),
            message.created_at,
            message.last_error ?? '',
          ],
          json: message,
        })),
      },
    };
  },
});

const retry = command({
  about: 'Sends a message again; without an ID, all messages that failed or are waiting.',
  details: 'The service sends it at once, or when it next starts.',
  positionals: ['[ID]'],
  options: {
    'all-failed': { type: 'boolean', about: 'Only messages that failed for good.' },
    kept: { type: 'boolean', about: 'All messages that were kept as files because SMTP_URL was not set.' },
  },
  example: 'message_7',
  async run({ config, db, positionals: [text], values }) {
    const ways = [text, values['all-failed'], values.kept].filter(Boolean);
    if (ways.length > 1) throw new UsageError('Name a message, or use --all-failed or --kept.');
    if (values.kept === true && config.smtpUrl === '') {
      throw new AppError('invalid', 'SMTP_URL is not set: the messages would only be kept again.');
    }
    if (text === undefined) {
      const which = values.kept === true ? 'kept' : values['all-failed'] === true ? 'failed' : 'not sent';
      const count = await db.transaction().execute((trx) => retryAll[which](trx));
      return {
        text:
          count === 0
            ? nothingTo[which]
            : `${count === 1 ? '1 message is' : `${count} messages are`} sent as soon as the service runs.`,
        json: { retried: count },
      };
    }
    const id = parseId('message', text.trim());
    if (id === undefined) throw new OptionError('ID', 'is not the id of a message, like message_7');
    await db.transaction().execute((trx) => retryMail(trx, id));
    return { text: `${messageId(id)} is sent as soon as the service runs.`, json: { retried: 1 } };
  },
});

const retryAll = {
  'not sent': async (trx: Trx) => (await retryWaitingMail(trx)) + (await retryFailedMail(trx)),
  failed: retryFailedMail,
  kept: retryKeptMail,
};

const nothingTo = {
  'not sent': 'No messages have failed or are waiting for another attempt.',
  failed: 'No messages have failed.',
  kept: 'No messages are kept as files.',
};

export const mailCommands: Group = {
  about: 'Mail: messages that wait, were sent, or failed.',
  commands: { list, retry },
};

function messageId(id: number): string {
  return `message_${id}`;
}
