import { type Actor, operator } from '../audit/record-audit-event.ts';
import { type Db, inTransaction, type Trx } from '../db/database.ts';
import { inEnglish } from '../english.ts';
import { notFound, ValidationError } from '../errors.ts';
import type { FieldCode } from '../field-error.ts';
import { parseId } from '../parse-id.ts';
import { addWebhook } from '../webhooks/add-webhook.ts';
import {
  changeWebhook,
  changeWebhookSecret,
  removeWebhook,
  resendEvents,
  resumeWebhook,
} from '../webhooks/change-webhook.ts';
import { listDeliveries } from '../webhooks/deliveries.ts';
import { listWebhooks } from '../webhooks/list-webhooks.ts';
import { isAccepted, sender } from '../webhooks/send.ts';
import { replayEvent } from '../webhooks/send-at-once.ts';
import { eventKinds, getWebhook, readKinds, type WebhookRow } from '../webhooks/webhook.ts';
import { accountOption, command, commandOfAccount, type Group, OptionError, UsageError } from './command.ts';
import { findAccount } from './find-account.ts';
import { listen } from './listen-webhook.ts';
import { printable, table, time } from './output.ts';

const HOOKID = 'HOOKID is its id (webhook_3).';

const add = commandOfAccount({
  about: 'Sends the events of an account to an address, and prints the secret once.',
  positionals: ['URL'],
  options: {
    kinds: {
      type: 'string',
      value: 'KINDS',
      about: `The kinds of events, separated by commas: ${eventKinds.join(', ')}. Default: all.`,
    },
  },
  example: 'https://shop.example.com/events --account acme --kinds page,customer',
  async run({ config, db, account: { id: accountId }, positionals, values }) {
    const kinds = kindsIn(values.kinds ?? 'all');
    const input = { url: positionals[0]!, kinds };
    const add = (trx: Trx) => addWebhook(trx, accountId, input, operator, config);
    const webhook = await db.transaction().execute(add).catch(adviseOnAddress);
    return {
      text: webhook.secret,
      json: { webhook: webhookJson(webhook), secret: webhook.secret },
      note: `${formatWebhookId(webhook.id)} gets the events from now on. Its secret is shown only once.`,
    };
  },
});

const change = command({
  about: 'Changes the address of a webhook, or the kinds of events that it gets.',
  details: `${HOOKID} The secret does not change. Waiting events go to the new address at once.`,
  positionals: ['HOOKID'],
  options: {
    account: accountOption,
    url: { type: 'string', value: 'URL', about: 'The address.' },
    kinds: {
      type: 'string',
      value: 'KINDS',
      about: `The kinds of events, separated by commas: ${eventKinds.join(', ')}; "all" for all.`,
    },
  },
  example: 'webhook_3 --account acme --url https://shop.example.com/v2/events',
  async run({ config, db, positionals, values: { account, url, kinds } }) {
    if (url === undefined && kinds === undefined) throw new UsageError('Missing: --url or --kinds.');
    const { account_id: accountId, id } = await findWebhook(db, account, positionals[0]!);
    const input = { id, url, kinds: kinds === undefined ? undefined : kindsIn(kinds) };
    const change = (trx: Trx) => changeWebhook(trx, accountId, input, operator, config);
    const changed = await db.transaction().execute(change).catch(adviseOnAddress);
    return { text: `${formatWebhookId(id)} is changed.`, json: { webhook: webhookJson(changed) } };
  },
});

/** Says why an address is refused and which option allows it, since the operator decides about the option. */
function adviseOnAddress(error: unknown): never {
  const refused =
    error instanceof ValidationError ? error.fields.find(({ code }) => code in addressReasons) : undefined;
  if (!refused) throw error;
  throw new OptionError('url', `${inEnglish(refused)}: ${addressReasons[refused.code as keyof typeof addressReasons]}`);
}

const allowed = 'For development, WEBHOOKS_TO_PRIVATE_NETWORKS=true allows';
const addressReasons = {
  not_a_webhook_address: `over http://, everybody on the way could read the events. ${allowed} http://`,
  private_address: `others could have this machine send requests there. ${allowed} it`,
} satisfies Partial<Record<FieldCode, string>>;

function kindsIn(text: string): string[] | null {
  return text.trim() === 'all' ? null : text.split(',').map((kind) => kind.trim());
}

const list = commandOfAccount({
  about: 'Lists the webhooks of an account.',
  example: '--account acme',
  async run({ db, account: { id } }) {
    const webhooks = (await listWebhooks(db, id)).map(webhookJson);
    return {
      text: table(
        ['ID', 'ADDRESS', 'EVENTS', 'STATUS', 'FAILING SINCE', 'ADDED'],
        webhooks.map((webhook) => [
          webhook.id,
          printable(webhook.url),
          webhook.kinds?.join(',') ?? 'all',
          webhook.status,
          webhook.failing_since ?? '-',
          webhook.created_at,
        ]),
        'The account has no webhooks.',
      ),
      json: { webhooks },
    };
  },
});

const DELIVERIES = 50;

const deliveries = command({
  about: `Lists the last ${DELIVERIES} attempts to send something to a webhook.`,
  details: HOOKID,
  positionals: ['HOOKID'],
  options: { account: accountOption },
  example: 'webhook_3 --account acme',
  async run({ db, positionals, values }) {
    const { account_id: accountId, id } = await findWebhook(db, values.account, positionals[0]!);
    const listed = await listDeliveries(db, accountId, { webhookId: id, limit: DELIVERIES });
    const attempts = listed.map(({ event_id, at, duration, status, error, response, request }) => ({
      event: event_id === 0 ? null : `event_${event_id}`,
      type: request?.type ?? null,
      at: time(at),
      milliseconds: duration,
      status,
      error,
      response,
    }));
    return {
      text: table(
        ['EVENT', 'TYPE', 'AT', 'MS', 'ANSWER'],
        attempts.map(({ event, type, at, milliseconds, status, error }) => [
          event ?? 'test',
          type ?? '-',
          at ?? '-',
          String(milliseconds),
          status === null ? printable(error ?? '-') : String(status),
        ]),
        'Nothing has been sent yet.',
      ),
      json: { deliveries: attempts },
    };
  },
});

const replay = command({
  about: 'Sends one event to a webhook again, at once.',
  details:
    `${HOOKID} The event is sent even if it was sent before, if the webhook does not get events of its\n` +
    'kind, or if the webhook is paused. Waiting events are not affected. The limit is 60 an hour per account, including tests.',
  positionals: ['HOOKID', 'EVENTID'],
  options: { account: accountOption },
  example: 'webhook_3 event_12 --account acme',
  async run({ config, db, positionals: [hook = '', event = ''], values }) {
    const eventId = eventIdIn(event, 'EVENTID');
    const { account_id: accountId, id } = await findWebhook(db, values.account, hook);
    const stop = new AbortController();
    const input = { webhookId: id, eventId, commit: <T>(work: (trx: Trx) => Promise<T>) => inTransaction(db, work) };
    const attempt = await replayEvent(accountId, input, sender(config, stop.signal)).finally(() => stop.abort());
    const { at, duration, status, error, response } = attempt;
    const outcome = status === null ? `was not delivered: ${printable(error ?? '-')}` : `was answered with ${status}`;
    return {
      text: `event_${eventId} ${outcome} (${duration} ms).`,
      json: { attempt: { event: `event_${eventId}`, at: time(at), milliseconds: duration, status, error, response } },
      exitCode: isAccepted(attempt) ? 0 : 1,
    };
  },
});

const resend = command({
  about: 'Sends all events again, starting with a given event.',
  details: `${HOOKID} Only events of the kinds that the webhook gets.`,
  positionals: ['HOOKID'],
  options: {
    account: accountOption,
    from: { type: 'string', value: 'EVENTID', required: true, about: 'The first event: event_12.' },
  },
  example: 'webhook_3 --account acme --from event_12',
  async run({ db, positionals, values }) {
    const from = eventIdIn(values.from, 'from');
    const { account_id, id } = await findWebhook(db, values.account, positionals[0]!);
    await db.transaction().execute((trx) => resendEvents(trx, account_id, { id, from }, operator));
    return done(id, 'sent', `is sent all events again, starting with event_${from}.`);
  },
});

/** Parses the id of an event. @throws OptionError with the name of the option or positional */
function eventIdIn(text: string, name: string): number {
  const id = parseId('event', text.trim());
  if (id === undefined) throw new OptionError(name, 'must be the id of an event, like event_12');
  return id;
}

const resume = commandOnWebhook({
  about: 'Resumes a webhook: tries again at once, and continues where it stopped.',
  change: resumeWebhook,
  status: 'active',
  outcome: 'is active.',
});

const secret = command({
  about: 'Replaces the secret of a webhook, and prints the new one once.',
  details: `${HOOKID} For a day, events are also signed with the former secret.`,
  positionals: ['HOOKID'],
  options: { account: accountOption },
  example: 'webhook_3 --account acme',
  async run({ db, positionals, values }) {
    const { account_id, id } = await findWebhook(db, values.account, positionals[0]!);
    const changed = await db.transaction().execute((trx) => changeWebhookSecret(trx, account_id, id, operator));
    return { text: changed, json: { webhook: { id: formatWebhookId(id) }, secret: changed } };
  },
});

const remove = commandOnWebhook({
  about: 'Removes a webhook: nothing more is sent there.',
  change: removeWebhook,
  status: 'removed',
  outcome: 'is removed.',
});

export const webhookCommands: Group = {
  about: "Webhooks: addresses to which an account's events are sent.",
  commands: { add, change, list, deliveries, replay, resend, resume, secret, remove, listen },
};

interface WebhookChange {
  readonly about: string;
  readonly change: (trx: Trx, accountId: number, id: number, by: Actor) => Promise<unknown>;
  readonly status: string;
  readonly outcome: string;
}

/** Makes a command that changes one webhook and takes only its id. */
function commandOnWebhook({ about, change, status, outcome }: WebhookChange) {
  return command({
    about,
    details: HOOKID,
    positionals: ['HOOKID'],
    options: { account: accountOption },
    example: 'webhook_3 --account acme',
    async run({ db, positionals, values }) {
      const { account_id, id } = await findWebhook(db, values.account, positionals[0]!);
      await db.transaction().execute((trx) => change(trx, account_id, id, operator));
      return done(id, status, outcome);
    },
  });
}

function done(id: number, status: string, text: string) {
  return { text: `${formatWebhookId(id)} ${text}`, json: { webhook: { id: formatWebhookId(id), status } } };
}

function formatWebhookId(id: number): string {
  return `webhook_${id}`;
}

function webhookJson({ id, url, kinds, paused_at, failing_since, created_at }: WebhookRow) {
  return {
    id: formatWebhookId(id),
    url,
    kinds: readKinds(kinds),
    status: paused_at !== null ? 'paused' : failing_since !== null ? 'failing' : 'active',
    failing_since: time(failing_since),
    created_at: time(created_at),
  };
}

async function findWebhook(db: Db, account: string, text: string): Promise<WebhookRow> {
  const { id: accountId } = await findAccount(db, account);
  const id = parseId('webhook', text.trim());
  if (id === undefined) throw notFound(`The webhook "${text}"`);
  return getWebhook(db, accountId, id);
}
