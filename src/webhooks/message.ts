import { eventJson } from '../audit/event-json.ts';
import type { AccountEvent } from '../audit/read-events.ts';
import { spans } from '../spans.ts';
import type { Trace } from '../trace.ts';
import { type Attempt, isAccepted, type Send } from './send.ts';
import { type Secrets, signatureHeaders } from './sign.ts';
import type { WebhookRow } from './webhook.ts';

/** The content of one request to a receiver. */
export interface Message {
  /** Equal for all attempts, so that a receiver can recognize a repeated message. */
  readonly id: string;
  readonly body: string;
  /** The trace step of the request, sent as the header `traceparent`; undefined for none. */
  readonly traceparent: string | undefined;
}

/** Returns the message for an event. */
export function eventMessage(accountId: number, event: AccountEvent, step: Trace | undefined): Message {
  const body = JSON.stringify(eventJson(accountId, event));
  return { id: `event_${event.id}`, body, traceparent: step && String(step) };
}

/** Signs and sends a message. */
export function sendMessage(
  { url, secrets }: { readonly url: string; readonly secrets: Secrets },
  { id, body, traceparent }: Message,
  send: Send,
): Promise<Attempt> {
  const signature = signatureHeaders(secrets, { id, body, at: Date.now() });
  return send(url, { ...signature, ...(traceparent && { traceparent }) }, body);
}

/** Records an attempt as a step in the trace of its cause, if traces are recorded. */
export function recordSending(webhook: WebhookRow, step: Trace | undefined, attempt: Attempt): void {
  if (!step?.isSampled || !spans.record) return;
  const start = attempt.at - performance.timeOrigin;
  const ids = { 'freehold.account_id': webhook.account_id, 'freehold.webhook': webhook.id };
  spans.record({
    step,
    name: 'webhook',
    kind: 'client',
    start,
    end: start + attempt.duration,
    attributes: { ...ids, 'http.response.status_code': attempt.status ?? undefined },
    hasFailed: !isAccepted(attempt),
  });
}
