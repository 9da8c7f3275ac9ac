import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { isNullInIndexOrder } from '../db/index-order.ts';
import { inJsonList } from '../db/json-list.ts';
import { findUpperAccounts, type UpperAccounts } from '../tenancy/find-upper-accounts.ts';
import type { WebhookRow } from './webhook.ts';
import type { WebhookRange } from './webhook-range.ts';

/** How long the webhooks of a crashed process wait for another one. Renewed whenever deliveries are recorded. */
export const LEASE_MS = 60_000;
/** How many webhooks of one account have their turn at once. */
const MAX_OF_ACCOUNT = 5;

export interface ClaimOptions {
  /** A name that no other worker has. */
  readonly worker: string;
  /** Leaves out webhooks whose receivers are slow, and ends the turn of one that has become so. */
  readonly quickOnly?: boolean;
  /** Where to look: among the webhooks of some accounts, or in a range. */
  readonly among: readonly number[] | WebhookRange;
  /** Leaves out the webhooks of these accounts and of all accounts below them. */
  readonly full?: readonly number[];
}

/** A webhook that has its turn, and the accounts whose shares it takes something of. */
export interface ClaimedWebhook {
  readonly webhook: WebhookRow;
  readonly upper: UpperAccounts;
}

/** Claims the webhook that has been due for longest and has events. Nobody else sends to it until its turn or its lease ends. */
export async function claimWebhook(db: Db, options: ClaimOptions): Promise<ClaimedWebhook | undefined> {
  for (;;) {
    // Mostly there is none, and to find that out takes no transaction.
    const due = await findDueWebhook(db, options);
    if (!due) return undefined;
    const claimed = await db.transaction().execute(async (trx) => {
      const webhook = await trx
        .updateTable('webhooks')
        .set({ claimed_by: options.worker, due_at: Date.now() + LEASE_MS })
        .where('account_id', '=', due.account_id)
        .where('id', '=', due.id)
        .where('due_at', '=', due.due_at)
        .where('paused_at', 'is', null)
        .where('removed_at', 'is', null)
        .returningAll()
        .executeTakeFirst();
      // In this transaction: to wait for another connection would delay the events.
      return webhook && { webhook, upper: await findUpperAccounts(trx, webhook.account_id) };
    });
    if (claimed) return claimed;
    // Somebody else has claimed or changed it meanwhile.
  }
}

/**
 * Returns the longest-due webhook that has events and whose account is active. Nearly all webhooks are due, with or without events, so the
 * query first selects the range to look at, without the index on due times. It then checks the other conditions for one webhook after
 * another: each is a scalar sub-query, so that no database begins with another table.
 */
function findDueWebhook(db: Db, { quickOnly = false, among, full = [] }: ClaimOptions) {
  const now = Date.now();
  return db
    .with(
      (cte) => cte('due').materialized(),
      (query) =>
        query
          .selectFrom('webhooks')
          .select(['webhooks.id', 'webhooks.account_id', 'webhooks.last_event_id', 'webhooks.due_at'])
          .where((e) =>
            'after' in among
              ? e.and([e('webhooks.id', '>', among.after), e('webhooks.id', '<=', among.until)])
              : inJsonList(db, 'webhooks.account_id', sql.val(JSON.stringify(among)), 'bigint'),
          )
          .where('webhooks.due_at', '<=', now)
          .where(isNullInIndexOrder('webhooks.paused_at'))
          .where(isNullInIndexOrder('webhooks.removed_at'))
          .$if(quickOnly, (webhooks) => webhooks.where('webhooks.is_slow', '=', 0))
          .orderBy('webhooks.due_at'),
    )
    .selectFrom('due')
    .select(['due.id', 'due.account_id', 'due.due_at'])
    .where((e) =>
      e(
        e
          .selectFrom('audit_log')
          .select(sql.lit(1).as('one'))
          .whereRef('audit_log.account_id', '=', 'due.account_id')
          .whereRef('audit_log.id', '>', 'due.last_event_id')
          .limit(1),
        '=',
        1,
      ),
    )
    .where((e) =>
      e(
        e
          .selectFrom('accounts')
          .select('accounts.status')
          .whereRef('accounts.id', '=', 'due.account_id')
          .where('accounts.deleted_at', 'is', null)
          .where('accounts.deletes_at', 'is', null),
        '=',
        'active',
      ),
    )
    .where((e) =>
      e(
        e
          .selectFrom('webhooks as others')
          .select((of) => of.fn.countAll<number>().as('count'))
          .whereRef('others.account_id', '=', 'due.account_id')
          .where('others.claimed_by', 'is not', null)
          .where('others.due_at', '>', now),
        '<',
        MAX_OF_ACCOUNT,
      ),
    )
    .$if(full.length > 0, (query) => query.where(isOutside(db, full)))
    .limit(1)
    .executeTakeFirst();
}

/** Whether a webhook's account is none of these and below none. The way up may be of any length, as for `findUpperAccounts`. */
function isOutside(db: Db, accounts: readonly number[]) {
  const isAmong = inJsonList(db, 'above.id', sql.val(JSON.stringify(accounts)), 'bigint');
  return sql<boolean>`not exists (
    with recursive above (id, parent_id) as (
      select own.id, own.parent_id from accounts as own where own.id = due.account_id
      union all
      select sellers.id, sellers.parent_id from above join accounts as sellers on sellers.id = above.parent_id
    )
    select 1 from above where ${isAmong}
  )`;
}
