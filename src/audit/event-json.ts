import type { AccountEvent } from './read-events.ts';

/** Returns an event as the API and webhooks send it to programs, in the format of Standard Webhooks. */
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
      // Programs see customers as accounts.
      subject: subject.replace(/^customer_/, 'account_'),
      actor,
      details,
    },
  };
}
