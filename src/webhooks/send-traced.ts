import { recorded } from '../spans.ts';
import type { Trace } from '../trace.ts';
import { type Attempt, isTaken, type Send } from './send.ts';
import { type SignedMessage, signatureHeaders } from './sign.ts';
import type { WebhookRow } from './webhook.ts';

interface TracedMessage {
  readonly message: SignedMessage;
  /** The request that has caused it; undefined for none. */
  readonly cause: Trace | undefined;
}

/** Signs and sends a message as a step of the trace of its cause. */
export function sendTraced(webhook: WebhookRow, { message, cause }: TracedMessage, send: Send): Promise<Attempt> {
  const step = cause?.child();
  const headers = { ...signatureHeaders(webhook, message), ...(step && { traceparent: String(step) }) };
  return recorded(
    step,
    { name: 'webhook', kind: 'client' },
    () => send(webhook.url, headers, message.body),
    (attempt) => {
      const status = attempt?.status ?? undefined;
      const ids = { 'freehold.account_id': webhook.account_id, 'freehold.webhook': webhook.id };
      const hasFailed = attempt === undefined || !isTaken(attempt);
      return { attributes: { ...ids, 'http.response.status_code': status }, hasFailed };
    },
  );
}
