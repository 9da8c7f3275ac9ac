import { sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { inJsonList } from '../db/json-list.ts';
import type { WebhookRow } from './webhook.ts';

/** How long the webhooks of a crashed process wait for another one. Renewed whenever deliveries are recorded. */
export const LEASE_MS = 60_000;
/** How many webhooks of one account have their turn at once. */
const MAX_OF_ACCOUNT = 5;

export interface ClaimOptions {
  /** A name that no other worker has. */
  readonly worker: string;
  /** Leaves out webhooks whose receivers are slow, and ends the turn of one that has become so. */
  readonly quickOnly?: boolean;
  /** Leaves out the webhooks of other accounts than these; undefined for none. */
  readonly accounts?: readonly number[] | undefined;
}

/** Claims up to `limit` webhooks that are due and have events. Nobody else sends to them until their turn or their lease ends. */
export async function claimWebhooks(db: Db, limit: number, options: ClaimOptions): Promise<WebhookRow[]> {
  // Mostly there are none, and to find that out takes no transaction.
  if (!(await dueWebhooks(db, 1, options).executeTakeFirst())) return [];
  return db.transaction().execute((trx) => {
    const due = dueWebhooks(trx, limit, options);
    return (
      trx
        // PostgreSQL must run the sub-query once: a second run would skip the rows that the first has locked.
        .with(
          (cte) => cte('due').materialized(),
          () => (dialectOf(trx) === 'postgres' ? due.forUpdate('webhooks').skipLocked() : due),
        )
        .updateTable('webhooks')
        .set({ claimed_by: options.worker, due_at: Date.now() + LEASE_MS })
        .where('id', 'in', (e) => e.selectFrom('due').select('id'))
        .returningAll()
        .execute()
    );
  });
}

/** The webhooks that are due and have events, of accounts that are active. */
function dueWebhooks(db: Db | Trx, limit: number, { quickOnly = false, accounts }: ClaimOptions) {
  const now = Date.now();
  return db
    .selectFrom('webhooks')
    .innerJoin('accounts', 'accounts.id', 'webhooks.account_id')
    .select('webhooks.id')
    .where('webhooks.due_at', '<=', now)
    .where('webhooks.paused_at', 'is', null)
    .where('webhooks.removed_at', 'is', null)
    .$if(accounts !== undefined, (query) =>
      query.where(inJsonList(db as Db, 'webhooks.account_id', sql.val(JSON.stringify(accounts)), 'bigint')),
    )
    .$if(quickOnly, (query) => query.where('webhooks.is_slow', '=', 0))
    .where('accounts.status', '=', 'active')
    .where('accounts.deleted_at', 'is', null)
    .where('accounts.deletes_at', 'is', null)
    .where((e) =>
      e.exists(
        e
          .selectFrom('audit_log')
          .select('audit_log.id')
          .whereRef('audit_log.account_id', '=', 'webhooks.account_id')
          .whereRef('audit_log.id', '>', 'webhooks.last_event_id'),
      ),
    )
    .where((e) =>
      e(
        e
          .selectFrom('webhooks as others')
          .select((of) => of.fn.countAll<number>().as('count'))
          .whereRef('others.account_id', '=', 'webhooks.account_id')
          .where('others.claimed_by', 'is not', null)
          .where('others.due_at', '>', now),
        '<',
        MAX_OF_ACCOUNT,
      ),
    )
    .orderBy('webhooks.due_at')
    .limit(limit);
}
