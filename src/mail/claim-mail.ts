import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { OutboxRow } from './outbox.ts';

/** Written out in the statements: with parameters instead, the indexes of the queued messages could not be used. */
const queued = sql.lit('queued' as const);
const single = sql.lit(0);

interface Claim {
  worker: string;
  now: number;
  /** Milliseconds. */
  leaseMs: number;
}

/** When the next queued message comes due (or its lease runs out); undefined when none is queued. */
export async function nextDueAt(db: Db): Promise<number | undefined> {
  const [first] = await selectNext(db, {});
  return first?.due_at;
}

const selectNext = prepared<object, { due_at: number }>((db) =>
  db.selectFrom('outbox').select('due_at').where('status', '=', queued).orderBy('due_at').limit(1),
);

/**
 * Claims up to `limit` messages that are due, those of bulk work last and else oldest first, so that no other worker gets
 * them until the lease is over. The messages of a crashed worker come due again when its lease ends.
 */
export async function claimMail(trx: Trx, limit: number, { worker, now, leaseMs }: Claim): Promise<OutboxRow[]> {
  const claim = { now, worker, until: now + leaseMs };
  const first = await takeSingle(trx, { ...claim, limit });
  if (first.length === limit) return first;
  return [...first, ...(await takeAny(trx, { ...claim, limit: limit - first.length }))];
}

const columns = [
  'id',
  'account_id',
  'kind',
  'message_id',
  'from_name',
  'to_name',
  'to_email',
  'reply_to',
  'subject',
  'text',
  'html',
  'status',
  'attempts',
  'due_at',
  'claimed_by',
  'last_error',
  'created_at',
  'sent_at',
  'secret',
  'traceparent',
] as const;

const takeSingle = prepareTake(true);
const takeAny = prepareTake(false);

function prepareTake(isSingleOnly: boolean) {
  return prepared<{ limit: number; now: number; worker: string; until: number }, OutboxRow>((db, parameter) => {
    const due = db
      .selectFrom('outbox')
      .select('id')
      .where('status', '=', queued)
      .$if(isSingleOnly, (query) => query.where('is_bulk', '=', single))
      .where('due_at', '<=', parameter('now'))
      .orderBy('due_at')
      .orderBy('id')
      .limit(parameter('limit'));
    return (
      db
        // SQLite has one writer at a time and needs no lock. PostgreSQL must run the sub-query once: a second run would
        // skip the rows that the first has locked.
        .with(
          (cte) => cte('due').materialized(),
          () => (dialectOf(db) === 'postgres' ? due.forUpdate().skipLocked() : due),
        )
        .updateTable('outbox')
        .set({ claimed_by: parameter('worker'), due_at: parameter('until') })
        .where('id', 'in', (eb) => eb.selectFrom('due').select('id'))
        .returning(columns)
    );
  });
}

/** Extends the lease of messages that take longer to send than one lease. */
export async function renewClaims(trx: Trx, ids: number[], { worker, now, leaseMs }: Claim): Promise<void> {
  await held(trx, ids, worker)
    .set({ due_at: now + leaseMs })
    .execute();
}

/** Gives back messages that nothing was done with. */
export async function releaseClaims(trx: Trx, ids: number[], { worker, now }: Omit<Claim, 'leaseMs'>): Promise<void> {
  await held(trx, ids, worker).set({ due_at: now, claimed_by: null }).execute();
}

function held(trx: Trx, ids: number[], worker: string) {
  return trx.updateTable('outbox').where('status', '=', queued).where('id', 'in', ids).where('claimed_by', '=', worker);
}
