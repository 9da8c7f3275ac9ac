import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { OutboxRow } from './outbox.ts';

/** Literals in the statements: with parameters, the partial indexes of queued messages could not be used. */
const queued = sql.lit('queued' as const);
const notBulk = sql.lit(0);

interface Claim {
  worker: string;
  now: number;
  leaseMs: number;
}

/** Returns the time at which the next queued message is due or its lease ends; undefined if none is queued. */
export async function nextDueAt(db: Db): Promise<number | undefined> {
  const [first] = await selectNext(db, {});
  return first?.due_at;
}

const selectNext = prepared<object, { due_at: number }>((db) =>
  db.selectFrom('outbox').select('due_at').where('status', '=', queued).orderBy('due_at').limit(1),
);

/**
 * Claims up to `limit` due messages for one lease, in which no other worker gets them. The oldest come first, and bulk
 * messages last. The messages of a crashed worker become due again when its lease ends.
 */
export async function claimMail(trx: Trx, limit: number, { worker, now, leaseMs }: Claim): Promise<OutboxRow[]> {
  const claim = { now, worker, until: now + leaseMs };
  const first = await claimNonBulk(trx, { ...claim, limit });
  if (first.length === limit) return first;
  return [...first, ...(await claimAny(trx, { ...claim, limit: limit - first.length }))];
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

const claimNonBulk = prepareClaim(true);
const claimAny = prepareClaim(false);

function prepareClaim(isBulkExcluded: boolean) {
  return prepared<{ limit: number; now: number; worker: string; until: number }, OutboxRow>((db, parameter) => {
    const due = db
      .selectFrom('outbox')
      .select('id')
      .where('status', '=', queued)
      .$if(isBulkExcluded, (query) => query.where('is_bulk', '=', notBulk))
      .where('due_at', '<=', parameter('now'))
      .orderBy('due_at')
      .orderBy('id')
      .limit(parameter('limit'));
    return (
      db
        // SQLite has only one writer at a time and needs no lock. PostgreSQL must run the subquery once: a second run would
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
  await updateClaimed(trx, ids, worker)
    .set({ due_at: now + leaseMs })
    .execute();
}

/** Releases messages that were claimed but not sent. */
export async function releaseClaims(trx: Trx, ids: number[], { worker, now }: Omit<Claim, 'leaseMs'>): Promise<void> {
  await updateClaimed(trx, ids, worker).set({ due_at: now, claimed_by: null }).execute();
}

function updateClaimed(trx: Trx, ids: number[], worker: string) {
  return trx.updateTable('outbox').where('status', '=', queued).where('id', 'in', ids).where('claimed_by', '=', worker);
}
