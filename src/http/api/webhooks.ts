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
  'The secret, which no other answer has. Null if the request was sent before with the same `Idempotency-Key`: answers with secrets are not stored.',
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
      'The address. It uses HTTPS, and does not lead into a private network.',
      'https://shop.example.com/events',
      { required: true, maxLength: 1000 },
    ),
    kinds: textField(
      `Kinds of the events that are sent, with which their types begin, separated by spaces: ${eventKinds.join(', ')}. Blank: all events.`,
      'page customer',
    ),
  },
};

export const addWebhookOperation = changeOperation('POST /api/webhooks.json', {
  ...shared,
  id: 'addWebhook',
  summary: 'Add a webhook',
  description:
    'Sends the events of the account to the address from now on; the first one is that the webhook was added. The secret in the answer signs what is sent.',
  input: newWebhook,
  exampleFields: ['kinds'],
  answers: [
    { status: 200, schema: 'WebhookAdded', description: 'The webhook is added.' },
    malformed,
    refused('Rules were broken, or there are too many webhooks.', [['url', 'leads into a private network']]),
  ],
  fingerprintName: 'add webhook',
  answerOf: (result) => ({ ...webhookAnswer(result), secret: (result as WebhookRow).secret }),
  storedAnswerOf: (result) => ({ ...webhookAnswer(result), secret: null }),
  prepare: async ({ fields: { url = '', kinds = '' }, caller, ctx, dependencies: { config } }) => {
    const input = { url, kinds: kindsIn(kinds) };
    return changing(caller, ctx, (trx, by) => addWebhook(trx, caller.accountId, input, by, config));
  },
});

export const changeWebhookOperation = changeOperation('PATCH /api/webhooks/{id}.json', {
  ...shared,
  id: 'changeWebhook',
  summary: 'Change a webhook',
  description:
    'Sends to another address, or other events, from now on. Fields that are not sent stay as they are, and so does the secret. What waits goes to the new address at once.',
  input: {
    ...newWebhook,
    name: 'WebhookChanges',
    fields: { url: { ...newWebhook.fields.url, required: false }, kinds: newWebhook.fields.kinds },
  },
  exampleFields: ['kinds'],
  answers: [
    { status: 200, schema: 'WebhookChanged', description: 'The webhook is as requested.' },
    malformed,
    noWebhook,
    refused('Rules were broken, and nothing was changed.', [['url', 'leads into a private network']]),
  ],
  fingerprintName: 'change webhook',
  answerOf: webhookAnswer,
  prepare: async ({ fields: { url, kinds }, caller, ctx, dependencies: { config }, id: text }) => {
    const id = idInPath('webhook', text);
    const input = { id, url, kinds: kinds === undefined ? undefined : kindsIn(kinds) };
    return changing(caller, ctx, (trx, by) => changeWebhook(trx, caller.accountId, input, by, config));
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
    'Gives the webhook another secret. For a day, events are signed with the former secret too, so that programs can change over.',
  answers: [{ status: 200, schema: 'SecretRotated', description: 'The webhook has another secret.' }, noWebhook],
  fingerprintName: 'rotate webhook secret',
  answerOf: (secret) => ({ secret }),
  storedAnswerOf: () => ({ secret: null }),
  prepare: changingById('webhook', changeWebhookSecret),
});

export const resumeWebhookOperation = changeOperation('POST /api/webhooks/{id}/resume.json', {
  ...shared,
  id: 'resumeWebhook',
  summary: 'Resume a webhook',
  description: 'Tries again at once, and goes on where a paused webhook has stopped.',
  answers: [{ status: 200, schema: 'Success', description: 'The webhook is active.' }, noWebhook],
  fingerprintName: 'resume webhook',
  prepare: changingById('webhook', resumeWebhook),
});

export const removeWebhookOperation = changeOperation('DELETE /api/webhooks/{id}.json', {
  ...shared,
  id: 'removeWebhook',
  summary: 'Remove a webhook',
  description: 'Sends nothing more to the address. The webhook can be restored for 10 minutes.',
  answers: [{ status: 200, schema: 'Success', description: 'The webhook is removed.' }, noWebhook],
  fingerprintName: 'remove webhook',
  prepare: changingById('webhook', removeWebhook),
});

export const restoreWebhookOperation = changeOperation('POST /api/webhooks/{id}/restore.json', {
  ...shared,
  id: 'restoreWebhook',
  summary: 'Restore a removed webhook',
  description:
    'Undoes a removal of the last 10 minutes. The webhook is sent the events since then, with the secret that it had.',
  answers: [
    { status: 200, schema: 'Success', description: 'The webhook is back.' },
    missing('No webhook with this id was removed in the last 10 minutes.', 'The removed webhook does not exist.'),
    refused('There are too many webhooks.', tooMany),
  ],
  fingerprintName: 'restore webhook',
  prepare: changingById('webhook', restoreWebhook),
});
