import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { OutboxTable } from '../db/schema.ts';
import type { Findings } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** Sent mail is kept for 90 days. Checking an hour less avoids messages that are being pruned. */
const CHECKED_PERIOD_MS = 90 * DAY_MS - HOUR_MS;

/** Checks that messages are consistent, that a worker sends them, and that every new customer has one. */
export async function checkOutbox(trx: Trx, findings: Findings, now: number): Promise<void> {
  await checkMessages(trx, findings, now);
  await checkMessageIds(trx, findings);
  await checkCustomers(trx, findings, now);
}

async function checkMessages(trx: Trx, findings: Findings, now: number): Promise<void> {
  const suspects = readInBatches<Suspect>((after, limit) =>
    trx
      .selectFrom('outbox')
      .select(['id', 'status', 'due_at', 'claimed_by', 'sent_at', 'last_error'])
      .where('id', '>', after?.id ?? 0)
      .where((e) =>
        e.or([
          e.and([e('status', '=', 'sent'), e('sent_at', 'is', null)]),
          e.and([e('status', '!=', 'sent'), e('sent_at', 'is not', null)]),
          e.and([e('status', '!=', 'queued'), e('claimed_by', 'is not', null)]),
          e.and([e('status', '=', 'failed'), e('last_error', 'is', null)]),
          e.and([e('status', '=', 'queued'), e.or([e('due_at', '<', now - DAY_MS), e('due_at', '>', now + HOUR_MS)])]),
        ]),
      )
      .orderBy('id')
      .limit(limitInIndexOrder(limit))
      .execute(),
  );
  for await (const suspect of suspects) {
    for (const message of problemsOf(suspect, now)) findings.add('outbox', `message_${suspect.id}: ${message}`);
  }
}

interface Suspect {
  id: number;
  status: OutboxTable['status'];
  due_at: number;
  claimed_by: string | null;
  sent_at: number | null;
  last_error: string | null;
}

function* problemsOf({ status, due_at, claimed_by, sent_at, last_error }: Suspect, now: number): Generator<string> {
  if (status === 'sent' && sent_at === null) yield 'it was sent, but has no time of sending.';
  if (status !== 'sent' && sent_at !== null) yield `it is ${status}, but has a time of sending.`;
  if (status === 'failed' && last_error === null) yield 'it failed, but has no error.';
  if (status !== 'queued') {
    if (claimed_by !== null) yield `it is ${status}, but is still claimed for sending.`;
    return;
  }
  if (due_at <= 0) yield 'it is queued, but is never due.';
  else if (due_at < now - DAY_MS) {
    yield claimed_by !== null
      ? 'the process that claimed it has been gone for more than a day.'
      : 'it has been due for more than a day. Check that the service is running.';
  } else if (claimed_by !== null && due_at > now + HOUR_MS) {
    // A lease lasts half a minute; the rest allows for clock skew.
    yield 'the process that claimed it has reserved it for more than another hour.';
  } else if (due_at > now + DAY_MS) {
    // The longest backoff between two attempts is about five hours.
    yield 'it is due only in more than a day.';
  }
}

async function checkMessageIds(trx: Trx, findings: Findings): Promise<void> {
  const { rows } = await sql<{ first: number; count: number }>`
    select min(id) as first, count(*) as count from outbox group by message_id having count(*) > 1
    order by 1 limit 1000`.execute(trx);
  for (const { first, count } of rows) {
    findings.add('outbox', `message_${first}: ${count} messages have its Message-ID.`);
  }
}

/** Checks that every new customer was sent login instructions. */
async function checkCustomers(trx: Trx, findings: Findings, now: number): Promise<void> {
  const customers = readInBatches<{ id: number }>((after, limit) =>
    trx
      .selectFrom('accounts')
      .select('id')
      .where('parent_id', 'is not', null)
      .where('deleted_at', 'is', null)
      .where('created_at', '>', now - CHECKED_PERIOD_MS)
      .where((e) =>
        e.not(e.exists(e.selectFrom('outbox').select('outbox.id').whereRef('outbox.account_id', '=', 'accounts.id'))),
      )
      // Importing an archive sends no mail.
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('audit_log')
              .select('audit_log.id')
              .whereRef('audit_log.account_id', '=', 'accounts.id')
              .where('audit_log.action', '=', 'account.imported'),
          ),
        ),
      )
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const { id } of customers) {
    findings.add('outbox', `account_${id}: it is a new customer, but no message was sent to it.`);
  }
}
