import * as v from 'valibot';
import type { EventKind } from '../../../webhooks/webhook.ts';
import { integer, text } from '../schema.ts';

/* Webhooks: the addresses to which the events of an account are sent. */

export type { EventKind };

/** In GET /admin/webhooks: `{ webhooks: WebhookJson[] }` */
export interface WebhookJson {
  id: number;
  url: string;
  /** The kinds of events that are sent; null for all. */
  kinds: readonly EventKind[] | null;
  createdAt: number;
  /** When the first attempt failed since the last one that succeeded; null if none has. */
  failingSince: number | null;
  /** When it had failed for too long. */
  pausedAt: number | null;
  /** When an event that waits is sent again; null where nothing has failed. */
  nextAttemptAt: number | null;
}

/** POST /admin/webhooks → 201 AddedWebhookJson */
export const addWebhookInput = v.object({
  url: text,
  /** Null for all. */
  kinds: v.optional(v.nullable(v.array(text)), null),
});
export type AddWebhookInput = v.InferInput<typeof addWebhookInput>;

/** PATCH /admin/webhooks/ID → 204. What is not sent stays as it is. */
export const changeWebhookInput = v.object({
  url: v.optional(text),
  kinds: v.optional(v.nullable(v.array(text))),
});
export type ChangeWebhookInput = v.InferInput<typeof changeWebhookInput>;

/** The secret proves to the receiver who has sent something. */
export interface AddedWebhookJson {
  id: number;
  secret: string;
}

/** POST /admin/webhooks/ID/secret: the former one is valid for a day. */
export interface WebhookSecretJson {
  secret: string;
}

/** POST /admin/webhooks/ID/resend → 204. Sends all events from that one on once more. */
export const resendEventsInput = v.object({ from: integer });
export type ResendEventsInput = v.InferInput<typeof resendEventsInput>;

/** POST /admin/webhooks/ID/replay → WebhookAttemptJson. Sends one event once more, at once. */
export const replayEventInput = v.object({ event: integer });
export type ReplayEventInput = v.InferInput<typeof replayEventInput>;

/** POST /admin/webhooks/ID/test */
export interface WebhookAttemptJson {
  at: number;
  /** Milliseconds. */
  duration: number;
  /** The status of the answer; null for none. */
  status: number | null;
  /** Why there was no answer. */
  error: string | null;
  /** The beginning of the answer. */
  response: string;
}

/** In GET /admin/webhooks/ID/deliveries: `{ deliveries: WebhookDeliveryJson[] }`, the latest first */
export interface WebhookDeliveryJson extends WebhookAttemptJson {
  id: number;
  /** 0 for a test. */
  eventId: number;
  type: string;
  /** The event that was sent, as JSON; null for a test, and for events that are not kept any more. */
  request: string | null;
}
