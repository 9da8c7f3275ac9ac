import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { isNullInIndexOrder } from '../db/index-order.ts';
import { inJsonList } from '../db/json-list.ts';
import { findUpperAccounts, type UpperAccounts } from '../tenancy/find-upper-accounts.ts';
import type { WebhookRow } from './webhook.ts';
import type { WebhookRange } from './webhook-range.ts';

/** How long the claims of a crashed process stay valid. Renewed whenever deliveries are recorded. */
export const LEASE_MS = 60_000;
/** How many webhooks of one account may be claimed at once. */
const MAX_OF_ACCOUNT = 5;

export interface ClaimOptions {
  /** A unique name of the worker. */
  readonly worker: string;
  /** Skips webhooks with slow receivers, and ends a run whose receiver has become slow. */
  readonly isQuickOnly?: boolean;
  /** Which webhooks to consider: those of the given accounts, or those in a range. */
  readonly among: readonly number[] | WebhookRange;
  /** Skips the webhooks of these accounts and of all accounts below them. */
  readonly full?: readonly number[];
}

/** A claimed webhook, and the accounts whose shares of the delivery slots it counts towards. */
export interface ClaimedWebhook {
  readonly webhook: WebhookRow;
  readonly upper: UpperAccounts;
}

/** Claims the longest-due webhook that has events. No other worker sends to it until it is released or its lease ends. */
export async function claimWebhook(db: Db, options: ClaimOptions): Promise<ClaimedWebhook | undefined> {
  for (;;) {
    // Usually nothing is due, and finding that out needs no transaction.
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
      // In the same transaction, since waiting for another connection would delay the events.
      return webhook && { webhook, upper: await findUpperAccounts(trx, webhook.account_id) };
    });
    if (claimed) return claimed;
    // Another process has claimed or changed the webhook meanwhile.
  }
}

/**
 * Returns the longest-due webhook that has events and whose account is active. Nearly all webhooks are due, with or without
 * events, so the query first selects the range of webhooks, without the index on due times. It then checks the other
 * conditions for one webhook after another. Each condition is a scalar subquery, so that no database starts with another
 * table.
 */
function findDueWebhook(db: Db, { isQuickOnly = false, among, full = [] }: ClaimOptions) {
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
          .$if(isQuickOnly, (webhooks) => webhooks.where('webhooks.is_slow', '=', 0))
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

/**
 * Returns the condition that a webhook's account is none of these accounts and below none of them. The chain of parent
 * accounts may have any length, as in `findUpperAccounts`.
 */
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
