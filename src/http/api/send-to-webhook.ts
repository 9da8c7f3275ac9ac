import { admitKey } from '../../api-keys/admit-key.ts';
import type { KeyOwner } from '../../api-keys/find-api-key.ts';
import { inTransaction, type Trx } from '../../db/database.ts';
import { ValidationError } from '../../errors.ts';
import { parseId } from '../../parse-id.ts';
import { resendEvents } from '../../webhooks/change-webhook.ts';
import { type Attempt, type Send, sender } from '../../webhooks/send.ts';
import { replayEvent, testWebhook } from '../../webhooks/send-at-once.ts';
import type { RequestContext } from '../request-context.ts';
import { malformed, refused } from './answers.ts';
import { changing } from './changing.ts';
import type { ChangeDependencies } from './dependencies.ts';
import { idInPath } from './ids.ts';
import { ref, successWith } from './json-schema.ts';
import { attemptJson, attemptSchema, noWebhook } from './list-webhooks.ts';
import { changeOperation, type ObjectSchema, textField } from './operation.ts';

/*
 * Operations that send to a webhook at once, or send events again.
 */

const shared = {
  tag: 'Webhooks',
  scope: 'webhooks:write',
  schemas: {
    WebhookTested: successWith({ attempt: ref('Attempt') }),
    Attempt: attemptSchema,
  },
} as const;

export const testWebhookOperation = changeOperation('POST /api/webhooks/{id}/test.json', {
  ...shared,
  id: 'testWebhook',
  summary: 'Test a webhook',
  description:
    'Sends a message of the type `webhook.test`, even while the webhook is paused, and returns the result. An account can send 60 tests an hour.',
  answers: [
    { status: 200, schema: 'WebhookTested', description: 'The test was sent, or could not be sent.' },
    noWebhook,
  ],
  fingerprintName: 'test webhook',
  answerOf: (result) => ({ attempt: attemptJson(result as Attempt) }),
  prepare: async ({ keyOwner, ctx, dependencies, id: text }) => {
    const webhookId = idInPath('webhook', text);
    const attempt = await sendNow(keyOwner, ctx, dependencies, (commit, send) =>
      testWebhook(keyOwner.accountId, { webhookId, commit }, send),
    );
    return async () => attempt;
  },
});

const replaying: ObjectSchema<'event'> = {
  object: 'webhook',
  name: 'WebhookReplay',
  fields: {
    event: textField('The event to send again.', 'event_1', { required: true }),
  },
};

export const replayEventOperation = changeOperation('POST /api/webhooks/{id}/replay.json', {
  ...shared,
  id: 'replayEvent',
  summary: 'Send one event again',
  description:
    'Sends one event at once, even if the webhook does not receive events of its kind or is paused, and returns the result. Waiting events are not affected. Counts as a test.',
  input: replaying,
  answers: [
    { status: 200, schema: 'WebhookTested', description: 'The event was sent, or could not be sent.' },
    malformed,
    noWebhook,
    refused('There is no event with this id.', [['event', 'does not exist']]),
  ],
  fingerprintName: 'replay event',
  answerOf: (result) => ({ attempt: attemptJson(result as Attempt) }),
  prepare: async ({ fields: { event = '' }, keyOwner, ctx, dependencies, id: text }) => {
    const webhookId = idInPath('webhook', text);
    const eventId = readEventId('event', event);
    const attempt = await sendNow(keyOwner, ctx, dependencies, (commit, send) =>
      replayEvent(keyOwner.accountId, { webhookId, eventId, commit }, send),
    );
    return async () => attempt;
  },
});

const resending: ObjectSchema<'from'> = {
  object: 'webhook',
  name: 'WebhookResending',
  fields: {
    from: textField('The first event to send again.', 'event_1', { required: true }),
  },
};

export const resendEventsOperation = changeOperation('POST /api/webhooks/{id}/resend.json', {
  ...shared,
  id: 'resendEvents',
  summary: 'Send events again',
  description:
    'Sends all events again, starting with one event, in order, of the kinds that the webhook receives. Resumes the webhook if it was paused.',
  input: resending,
  answers: [
    { status: 200, schema: 'Success', description: 'The events will be sent again.' },
    malformed,
    noWebhook,
    refused('There is no event with this id.', [['from', 'does not exist']]),
  ],
  fingerprintName: 'resend events',
  prepare: async ({ fields: { from: first = '' }, keyOwner, ctx, id: text }) => {
    const id = idInPath('webhook', text);
    const from = readEventId('from', first);
    return changing(keyOwner, ctx, (trx, by) => resendEvents(trx, keyOwner.accountId, { id, from }, by));
  },
});

/** @throws ValidationError if the text is not an id */
function readEventId(field: string, text: string): number {
  const id = parseId('event', text.trim());
  if (id === undefined) throw new ValidationError([{ field, code: text.trim() === '' ? 'blank' : 'missing' }]);
  return id;
}

type Commit = <T>(work: (trx: Trx) => Promise<T>) => Promise<T>;

/** Sends something between two transactions, so that no transaction waits for the receiver. */
async function sendNow(
  keyOwner: KeyOwner,
  { ip }: RequestContext,
  { db, config }: ChangeDependencies,
  sending: (commit: Commit, send: Send) => Promise<Attempt>,
): Promise<Attempt> {
  const commit: Commit = (work) =>
    inTransaction(db, async (trx) => {
      await admitKey(trx, keyOwner, ip);
      return work(trx);
    });
  const stop = new AbortController();
  try {
    return await sending(commit, sender(config, stop.signal));
  } finally {
    // Close the connection, which nothing else uses.
    stop.abort();
  }
}
