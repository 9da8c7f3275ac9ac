import { createHmac } from 'node:crypto';
import type { WebhookRow } from './webhook.ts';

export type Secrets = Pick<WebhookRow, 'secret' | 'old_secret' | 'old_secret_until'>;

interface SignedMessage {
  readonly id: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Returns the headers of Standard Webhooks (https://www.standardwebhooks.com, version 1), with a signature for each valid
 * secret: after a change, receivers may check against the old secret for a while.
 */
export function signatureHeaders(secrets: Secrets, { id, body, at }: SignedMessage): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const isOldValid = secrets.old_secret !== null && secrets.old_secret_until! > at;
  const valid = [secrets.secret, ...(isOldValid ? [secrets.old_secret!] : [])];
  const signatures = valid.map((secret) => {
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return { 'Webhook-Id': id, 'Webhook-Timestamp': timestamp, 'Webhook-Signature': signatures.join(' ') };
}
