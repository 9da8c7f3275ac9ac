import { addWebhook } from '../../webhooks/add-webhook.ts';
import {
  changeWebhook,
  changeWebhookSecret,
  removeWebhook,
  resendEvents,
  restoreWebhook,
  resumeWebhook,
} from '../../webhooks/change-webhook.ts';
import { type ListedDelivery, listDeliveries } from '../../webhooks/deliveries.ts';
import { listWebhooks } from '../../webhooks/list-webhooks.ts';
import { sender } from '../../webhooks/send.ts';
import { replayEvent, testWebhook } from '../../webhooks/send-at-once.ts';
import { readKinds, type WebhookRow } from '../../webhooks/webhook.ts';
import { changeById } from './change-by-id.ts';
import { addWebhookInput, changeWebhookInput, replayEventInput, resendEventsInput } from './contract/webhooks.ts';
import type {
  AddedWebhookJson,
  WebhookAttemptJson,
  WebhookDeliveryJson,
  WebhookJson,
  WebhookSecretJson,
} from './contract.ts';
import type { RouteDependencies } from './dependencies.ts';
import { emptyResponse, jsonResponse } from './responses.ts';
import { type AdminRoute, route } from './route.ts';

const SHOWN_DELIVERIES = 50;

/** Returns the routes for the account's webhooks. Only the answer that creates a secret contains it. */
export function webhookRoutes({ db, config }: RouteDependencies): AdminRoute[] {
  // Never aborted: a process that stops waits for the responses under way, and so for these attempts.
  const send = sender(config, new AbortController().signal);
  return [
    route('GET /admin/webhooks', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ sessionOwner: { accountId } }) =>
        jsonResponse(200, { webhooks: (await listWebhooks(db, accountId)).map(webhookJson) }),
    }),
    route('POST /admin/webhooks', {
      needs: 'update_settings',
      impersonation: 'refused',
      body: addWebhookInput,
      handle: async ({ sessionOwner: { accountId }, actor, body, change }) => {
        const { id, secret } = await change((trx) => addWebhook(trx, accountId, body, actor, config));
        return jsonResponse(201, { id, secret } satisfies AddedWebhookJson);
      },
    }),
    route('PATCH /admin/webhooks/:id', {
      needs: 'update_settings',
      impersonation: 'refused',
      body: changeWebhookInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body, change }) => {
        await change((trx) => changeWebhook(trx, accountId, { id, ...body }, actor, config));
        return emptyResponse();
      },
    }),
    route('GET /admin/webhooks/:id/deliveries', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ id, sessionOwner: { accountId } }) => {
        const listed = await listDeliveries(db, accountId, { webhookId: id, limit: SHOWN_DELIVERIES });
        return jsonResponse(200, { deliveries: listed.map(deliveryJson) });
      },
    }),
    route('POST /admin/webhooks/:id/secret', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ id, sessionOwner: { accountId }, actor, change }) => {
        const secret = await change((trx) => changeWebhookSecret(trx, accountId, id, actor));
        return jsonResponse(200, { secret } satisfies WebhookSecretJson);
      },
    }),
    route('POST /admin/webhooks/:id/test', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: async ({ id, sessionOwner: { accountId }, change }) => {
        const attempt = await testWebhook(accountId, { webhookId: id, commit: change }, send);
        return jsonResponse(200, attempt satisfies WebhookAttemptJson);
      },
    }),
    route('POST /admin/webhooks/:id/replay', {
      needs: 'update_settings',
      impersonation: 'refused',
      body: replayEventInput,
      handle: async ({ id, sessionOwner: { accountId }, body, change }) => {
        const attempt = await replayEvent(accountId, { webhookId: id, eventId: body.event, commit: change }, send);
        return jsonResponse(200, attempt satisfies WebhookAttemptJson);
      },
    }),
    route('POST /admin/webhooks/:id/resume', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: changeById(resumeWebhook),
    }),
    route('POST /admin/webhooks/:id/resend', {
      needs: 'update_settings',
      impersonation: 'refused',
      body: resendEventsInput,
      handle: async ({ id, sessionOwner: { accountId }, actor, body: { from }, change }) => {
        await change((trx) => resendEvents(trx, accountId, { id, from }, actor));
        return emptyResponse();
      },
    }),
    route('DELETE /admin/webhooks/:id', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: changeById(removeWebhook),
    }),
    route('POST /admin/webhooks/:id/restore', {
      needs: 'update_settings',
      impersonation: 'refused',
      handle: changeById(restoreWebhook),
    }),
  ];
}

function webhookJson(webhook: WebhookRow): WebhookJson {
  const { id, url, kinds, failing_since, paused_at, due_at } = webhook;
  return {
    id,
    url,
    kinds: readKinds(kinds),
    createdAt: webhook.created_at,
    failingSince: failing_since,
    pausedAt: paused_at,
    nextAttemptAt: failing_since === null || paused_at !== null ? null : due_at,
  };
}

function deliveryJson({ id, event_id, at, duration, status, error, response, request }: ListedDelivery) {
  return {
    id,
    eventId: event_id,
    at,
    duration,
    status,
    error,
    response,
    type: request?.type ?? (event_id === 0 ? 'webhook.test' : ''),
    request: request && JSON.stringify(request, null, 2),
  } satisfies WebhookDeliveryJson;
}
