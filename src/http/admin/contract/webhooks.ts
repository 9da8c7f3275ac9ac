import * as v from 'valibot';
import type { EventKind } from '../../../webhooks/webhook.ts';
import { integer, text } from '../schema.ts';

/* Webhooks: the URLs that an account's events are sent to. */

export type { EventKind };

/** GET /admin/webhooks → `{ webhooks: WebhookJson[] }` */
export interface WebhookJson {
  id: number;
  url: string;
  /** The kinds of events to send; null for all. */
  kinds: readonly EventKind[] | null;
  createdAt: number;
  /** The time of the first failure since the last success; null if there was none. */
  failingSince: number | null;
  /** When the webhook was paused, after failing for too long. */
  pausedAt: number | null;
  /** When the waiting event is sent again; null if the webhook is paused or has not failed. */
  nextAttemptAt: number | null;
}

/** POST /admin/webhooks → 201 AddedWebhookJson */
export const addWebhookInput = v.object({
  url: text,
  /** Null for all kinds. */
  kinds: v.optional(v.nullable(v.array(text)), null),
});
export type AddWebhookInput = v.InferInput<typeof addWebhookInput>;

/** PATCH /admin/webhooks/ID → 204. Omitted fields stay as they are. */
export const changeWebhookInput = v.object({
  url: v.optional(text),
  kinds: v.optional(v.nullable(v.array(text))),
});
export type ChangeWebhookInput = v.InferInput<typeof changeWebhookInput>;

/** A new webhook. Its secret proves to the receiver that a request comes from this service. */
export interface AddedWebhookJson {
  id: number;
  secret: string;
}

/** POST /admin/webhooks/ID/secret replaces the secret. The former one stays valid for a day. */
export interface WebhookSecretJson {
  secret: string;
}

/** POST /admin/webhooks/ID/resend → 204. Sends the event `from` and all later events again. */
export const resendEventsInput = v.object({ from: integer });
export type ResendEventsInput = v.InferInput<typeof resendEventsInput>;

/** POST /admin/webhooks/ID/replay → WebhookAttemptJson. Sends one event again at once. */
export const replayEventInput = v.object({ event: integer });
export type ReplayEventInput = v.InferInput<typeof replayEventInput>;

/** An attempt to send an event. POST /admin/webhooks/ID/test sends a test event. */
export interface WebhookAttemptJson {
  at: number;
  /** In milliseconds. */
  duration: number;
  /** The status of the response; null if there was none. */
  status: number | null;
  /** Why there was no response. */
  error: string | null;
  /** The beginning of the response body. */
  response: string;
}

/** GET /admin/webhooks/ID/deliveries → `{ deliveries: WebhookDeliveryJson[] }`, the latest first */
export interface WebhookDeliveryJson extends WebhookAttemptJson {
  id: number;
  /** 0 for a test. */
  eventId: number;
  type: string;
  /** The sent event as JSON; null for a test, and for events that have been pruned. */
  request: string | null;
}
