import type { AccountEvent } from './read-events.ts';

/** An event as programs get it, by the API and by webhooks: the form of Standard Webhooks. */
export function eventJson(
  accountId: number,
  { id, type, at, actor, subject, details }: Omit<AccountEvent, 'traceparent'>,
) {
  return {
    type,
    timestamp: new Date(at).toISOString(),
    data: {
      id: `event_${id}`,
      account_id: `account_${accountId}`,
      // Customers are accounts to programs.
      subject: subject.replace(/^customer_/, 'account_'),
      actor,
      details,
    },
  };
}
