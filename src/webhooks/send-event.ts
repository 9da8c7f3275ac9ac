import { eventJson } from '../audit/event-json.ts';
import type { AccountEvent } from '../audit/read-events.ts';
import type { Trace } from '../trace.ts';
import type { Attempt, Send } from './send.ts';
import { sendTraced } from './send-traced.ts';
import type { WebhookRow } from './webhook.ts';

/** Sends one event, whatever else waits, as a step that `cause` has caused. */
export function sendEvent(
  webhook: WebhookRow,
  event: AccountEvent,
  cause: Trace | undefined,
  send: Send,
): Promise<Attempt> {
  const body = JSON.stringify(eventJson(webhook.account_id, event));
  const message = { id: `event_${event.id}`, body, at: Date.now() };
  return sendTraced(webhook, { message, cause }, send);
}
