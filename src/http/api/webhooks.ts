import { addWebhook } from '../../webhooks/add-webhook.ts';
import {
  changeWebhook,
  changeWebhookSecret,
  removeWebhook,
  restoreWebhook,
  resumeWebhook,
} from '../../webhooks/change-webhook.ts';
import { eventKinds, type WebhookRow } from '../../webhooks/webhook.ts';
import { malformed, missing, refused } from './answers.ts';
import { changing, changingById } from './changing.ts';
import { idInPath } from './ids.ts';
import { ref, type Schema, successWith, textOrNull } from './json-schema.ts';
import { noWebhook, webhookJson, webhookSchema } from './list-webhooks.ts';
import { changeOperation, type ObjectSchema, textField } from './operation.ts';

const secret: Schema = textOrNull(
  'The secret. No other response contains it. Null if the request was sent before with the same `Idempotency-Key`, because responses with secrets are not stored.',
  'whsec_…',
);

const schemas = {
  WebhookAdded: successWith({ webhook: ref('Webhook'), secret }),
  WebhookChanged: successWith({ webhook: ref('Webhook') }),
  SecretRotated: successWith({ secret }),
  Webhook: webhookSchema,
} as const;

const shared = {
  tag: 'Webhooks',
  scope: 'webhooks:write',
  schemas,
} as const;

const tooMany = 'There are 100 webhooks. Remove one first.';

const newWebhook: ObjectSchema<'url' | 'kinds'> = {
  object: 'webhook',
  name: 'NewWebhook',
  fields: {
    url: textField(
      'The address. It must use HTTPS, and must not lead into a private network.',
      'https://shop.example.com/events',
      { required: true, maxLength: 1000 },
    ),
    kinds: textField(
      `Kinds of events to send, which are the first part of their types, separated by spaces: ${eventKinds.join(', ')}. Blank: all events.`,
      'page customer',
    ),
  },
};

export const addWebhookOperation = changeOperation('POST /api/webhooks.json', {
  ...shared,
  id: 'addWebhook',
  summary: 'Add a webhook',
  description:
    'Sends the events of the account to the address from now on. The first event is that the webhook was added. The secret in the response signs the requests.',
  input: newWebhook,
  exampleFields: ['kinds'],
  answers: [
    { status: 200, schema: 'WebhookAdded', description: 'The webhook was added.' },
    malformed,
    refused('Validation failed, or there are too many webhooks.', [['url', 'leads into a private network']]),
  ],
  fingerprintName: 'add webhook',
  answerOf: (result) => ({ ...webhookAnswer(result), secret: (result as WebhookRow).secret }),
  storedAnswerOf: (result) => ({ ...webhookAnswer(result), secret: null }),
  prepare: async ({ fields: { url = '', kinds = '' }, keyOwner, ctx, dependencies: { config } }) => {
    const input = { url, kinds: kindsIn(kinds) };
    return changing(keyOwner, ctx, (trx, by) => addWebhook(trx, keyOwner.accountId, input, by, config));
  },
});

export const changeWebhookOperation = changeOperation('PATCH /api/webhooks/{id}.json', {
  ...shared,
  id: 'changeWebhook',
  summary: 'Change a webhook',
  description:
    'Changes the address, or the kinds of events to send. Fields that are not sent stay as they are, and so does the secret. Waiting events are sent to the new address at once.',
  input: {
    ...newWebhook,
    name: 'WebhookChanges',
    fields: { url: { ...newWebhook.fields.url, required: false }, kinds: newWebhook.fields.kinds },
  },
  exampleFields: ['kinds'],
  answers: [
    { status: 200, schema: 'WebhookChanged', description: 'The webhook has the requested values.' },
    malformed,
    noWebhook,
    refused('Validation failed, and nothing was changed.', [['url', 'leads into a private network']]),
  ],
  fingerprintName: 'change webhook',
  answerOf: webhookAnswer,
  prepare: async ({ fields: { url, kinds }, keyOwner, ctx, dependencies: { config }, id: text }) => {
    const id = idInPath('webhook', text);
    const input = { id, url, kinds: kinds === undefined ? undefined : kindsIn(kinds) };
    return changing(keyOwner, ctx, (trx, by) => changeWebhook(trx, keyOwner.accountId, input, by, config));
  },
});

function webhookAnswer(webhook: unknown) {
  return { webhook: webhookJson(webhook as WebhookRow) };
}

/** Returns the kinds in a text, or null (all kinds) if it is blank. */
function kindsIn(text: string): string[] | null {
  const chosen = text.trim();
  return chosen === '' ? null : chosen.split(/[ ,]+/);
}

export const rotateWebhookSecretOperation = changeOperation('POST /api/webhooks/{id}/rotate.json', {
  ...shared,
  id: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook',
  description:
    'Gives the webhook a new secret. For a day, events are also signed with the former secret, so that programs can switch over.',
  answers: [{ status: 200, schema: 'SecretRotated', description: 'The webhook has a new secret.' }, noWebhook],
  fingerprintName: 'rotate webhook secret',
  answerOf: (secret) => ({ secret }),
  storedAnswerOf: () => ({ secret: null }),
  prepare: changingById('webhook', changeWebhookSecret),
});

export const resumeWebhookOperation = changeOperation('POST /api/webhooks/{id}/resume.json', {
  ...shared,
  id: 'resumeWebhook',
  summary: 'Resume a webhook',
  description: 'Retries waiting events at once. A paused webhook continues where it stopped.',
  answers: [{ status: 200, schema: 'Success', description: 'The webhook is active.' }, noWebhook],
  fingerprintName: 'resume webhook',
  prepare: changingById('webhook', resumeWebhook),
});

export const removeWebhookOperation = changeOperation('DELETE /api/webhooks/{id}.json', {
  ...shared,
  id: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'Sends nothing more to the address. The webhook can be restored for 10 minutes.',
  answers: [{ status: 200, schema: 'Success', description: 'The webhook was removed.' }, noWebhook],
  fingerprintName: 'remove webhook',
  prepare: changingById('webhook', removeWebhook),
});

export const restoreWebhookOperation = changeOperation('POST /api/webhooks/{id}/restore.json', {
  ...shared,
  id: 'restoreWebhook',
  summary: 'Restore a removed webhook',
  description:
    'Undoes a removal of the last 10 minutes. The webhook receives the events since then, signed with its former secret.',
  answers: [
    { status: 200, schema: 'Success', description: 'The webhook was restored.' },
    missing('No webhook with this id was removed in the last 10 minutes.', 'The removed webhook does not exist.'),
    refused('There are too many webhooks.', tooMany),
  ],
  fingerprintName: 'restore webhook',
  prepare: changingById('webhook', restoreWebhook),
});
