import { partWithNext } from '../../db/part-of.ts';
import { snapshot } from '../../db/snapshot.ts';
import { type ListedDelivery, listDeliveries } from '../../webhooks/deliveries.ts';
import { listWebhooks } from '../../webhooks/list-webhooks.ts';
import type { Attempt } from '../../webhooks/send.ts';
import { eventKinds, getWebhook, readKinds, type WebhookRow } from '../../webhooks/webhook.ts';
import { missing, wrongParameter } from './answers.ts';
import { idInPath } from './ids.ts';
import {
  countSchema,
  idSchema,
  objectSchema,
  ref,
  type Schema,
  textOrNull,
  textSchema,
  timeOrNull,
} from './json-schema.ts';
import { nextSchema, partParameters, readLimit } from './list-parts.ts';
import { readOperation } from './operation.ts';
import { readId, wrongId } from './query-parameters.ts';
import { reading } from './reading.ts';
import { isoTime } from './times.ts';

const limits = { otherwise: 50, max: 500 };

export const noWebhook = missing('The account has no webhook with this id.', 'The webhook does not exist.');

const time = (description: string): Schema => ({
  ...textSchema(description, '2026-11-27T08:56:03.000Z'),
  format: 'date-time',
});
export const webhookSchema: Schema = objectSchema({
  id: idSchema('webhook', 'Identifier of the webhook.'),
  url: textSchema('The address to which events are sent.', 'https://shop.example.com/events'),
  kinds: {
    type: ['array', 'null'],
    items: { type: 'string', enum: eventKinds },
    description: 'Kinds of events that are sent: the first part of their types; null for all events.',
    examples: [['page', 'customer']],
  },
  state: {
    type: 'string',
    enum: ['active', 'failing', 'paused'],
    description: '`failing`: an event is being retried, and later events wait. `paused`: nothing is sent any more.',
    examples: ['active'],
  },
  created_at: time('When the webhook was added.'),
  failing_since: timeOrNull('Time of the first failed attempt since the last success; null if there is none.'),
  paused_at: timeOrNull('When the webhook was paused because it had failed for too long; null if it is not paused.'),
  next_attempt_at: timeOrNull('When the next waiting event is retried; null if none is waiting.'),
});

const attemptProperties: Readonly<Record<string, Schema>> = {
  sent_at: time('Time of the attempt.'),
  duration_ms: countSchema('Duration of the attempt, in milliseconds.', 84),
  status: {
    type: ['integer', 'null'],
    description: 'Status of the response; null if there was none.',
    examples: [200],
  },
  error: textOrNull('Why there was no response; null if there was one.'),
  response: textSchema('First 1,000 characters of the response.', 'OK'),
};

export const attemptSchema: Schema = objectSchema(attemptProperties);

export const listWebhooksOperation = readOperation('GET /api/webhooks.json', {
  id: 'listWebhooks',
  tag: 'Webhooks',
  scope: 'webhooks:read',
  summary: 'List webhooks',
  description:
    'All webhooks of the account, in the order in which they were added. The list does not contain the secrets.',
  answers: [{ status: 200, schema: 'WebhookList', description: 'The webhooks.' }],
  schemas: {
    WebhookList: objectSchema({ webhooks: { type: 'array', items: ref('Webhook'), description: 'Oldest first.' } }),
    Webhook: webhookSchema,
  },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db } }) => {
    const webhooks = await listWebhooks(db, accountId);
    return { webhooks: webhooks.map(webhookJson) };
  }),
});

export const getWebhookOperation = readOperation('GET /api/webhooks/{id}.json', {
  id: 'getWebhook',
  tag: 'Webhooks',
  scope: 'webhooks:read',
  summary: 'Read a webhook',
  description: 'One webhook, and whether its events are delivered.',
  answers: [{ status: 200, schema: 'WebhookAnswer', description: 'The webhook.' }, noWebhook],
  schemas: { WebhookAnswer: objectSchema({ webhook: ref('Webhook') }), Webhook: webhookSchema },
  handler: reading(async ({ keyOwner: { accountId }, dependencies: { db }, id: text }) => {
    const webhook = await getWebhook(db, accountId, idInPath('webhook', text));
    return { webhook: webhookJson(webhook) };
  }),
});

export const listDeliveriesOperation = readOperation('GET /api/webhooks/{id}/deliveries.json', {
  id: 'listDeliveries',
  tag: 'Webhooks',
  scope: 'webhooks:read',
  summary: 'List deliveries of a webhook',
  description:
    'All attempts of the last 14 days to send an event to the webhook, newest first, in parts: the event, and the response.',
  queryParameters: {
    ...partParameters('before', 'delivery_12', limits),
  },
  answers: [
    { status: 200, schema: 'DeliveryList', description: 'The deliveries.' },
    wrongParameter(wrongId('before', 'delivery')),
    noWebhook,
  ],
  schemas: {
    DeliveryList: objectSchema({
      deliveries: { type: 'array', items: ref('Delivery'), description: 'Newest first.' },
      next: nextSchema('before'),
    }),
    Delivery: objectSchema({
      id: idSchema('delivery', 'Identifier of the delivery.'),
      event_id: textOrNull('Identifier of the event; null for a test.', 'event_12'),
      ...attemptProperties,
      request: {
        description: 'The event that was sent; null for a test, and for an event that is no longer kept.',
        oneOf: [ref('Event'), { type: 'null' }],
      },
    }),
  },
  handler: reading(async ({ ctx, keyOwner: { accountId }, dependencies: { db }, id: text }) => {
    const webhookId = idInPath('webhook', text);
    const limit = readLimit(ctx.query, limits);
    const before = readId(ctx.query, 'before', 'delivery');
    const input = { webhookId, limit: limit + 1, before };
    const found = await snapshot(db, (trx) => listDeliveries(trx, accountId, input));
    const { shown, next } = partWithNext(found, limit, ({ id }) => `delivery_${id}`);
    return { deliveries: shown.map(deliveryJson), next };
  }),
});

export function webhookJson({ id, url, kinds, created_at, failing_since, paused_at, due_at }: WebhookRow) {
  const isWaiting = failing_since !== null && paused_at === null;
  return {
    id: `webhook_${id}`,
    url,
    kinds: readKinds(kinds),
    state: paused_at !== null ? 'paused' : failing_since !== null ? 'failing' : 'active',
    created_at: isoTime(created_at),
    failing_since: isoTime(failing_since),
    paused_at: isoTime(paused_at),
    next_attempt_at: isoTime(isWaiting ? due_at : null),
  };
}

export function attemptJson({ at, duration, status, error, response }: Attempt) {
  return { sent_at: isoTime(at), duration_ms: duration, status, error, response };
}

function deliveryJson({ id, event_id, request, ...attempt }: ListedDelivery) {
  const eventId = event_id === 0 ? null : `event_${event_id}`;
  return { id: `delivery_${id}`, event_id: eventId, ...attemptJson(attempt), request };
}
