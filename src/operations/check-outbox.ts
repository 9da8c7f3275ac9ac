import type { Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';
import { readInParts } from './read-in-parts.ts';

const DAY = 24 * 60 * 60 * 1000;

/** Messages are what they say they are, and somebody sends them. */
export async function checkOutbox(trx: Trx, findings: Findings, now: number): Promise<void> {
  const suspects = readInParts<Suspect>((after, limit) =>
    trx
      .selectFrom('outbox')
      .select(['id', 'status', 'due_at', 'claimed_by', 'sent_at'])
      .where('id', '>', after?.id ?? 0)
      .where((e) =>
        e.or([
          e.and([e('status', '=', 'sent'), e('sent_at', 'is', null)]),
          e.and([e('status', '!=', 'sent'), e('sent_at', 'is not', null)]),
          e.and([e('status', '=', 'queued'), e.or([e('due_at', '<', now - DAY), e('due_at', '<=', 0)])]),
        ]),
      )
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const { id, status, due_at, claimed_by, sent_at } of suspects) {
    const report = (message: string) => findings.add('outbox', `message_${id}: ${message}`);
    if (status === 'sent' && sent_at === null) report('it is sent, but has no time at which it was.');
    if (status !== 'sent' && sent_at !== null) report(`it is ${status}, but has a time at which it was sent.`);
    if (status !== 'queued' || due_at >= now - DAY) continue;
    if (due_at <= 0) report('it is queued, but not due at any time.');
    else if (claimed_by !== null) report('whoever took it to send it has been gone for more than a day.');
    else report('it has been due for more than a day. Does the service run?');
  }
}

interface Suspect {
  id: number;
  status: 'queued' | 'sent' | 'failed';
  due_at: number;
  claimed_by: string | null;
  sent_at: number | null;
}
