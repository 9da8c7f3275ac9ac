import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { type NamedAuditEvent, recordAuditEvents, service } from '../audit/record-audit-event.ts';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { hasReachedAnyLimit, type PlanLimit, planLimits, reachedLimitColumns } from '../tenancy/plan-limits.ts';

/** How many customers one transaction checks. */
const BATCH_SIZE = 200;

/**
 * Records which customers have reached a limit of their plan, for pages, people, images or domains, and clears those that
 * have fallen below it. When a customer reaches its first limit, an event is recorded for the customer and for its seller.
 * The usage of each customer on a plan with limits is counted in batches, so that other transactions need not wait for all
 * of it.
 */
export async function refreshCustomersAtLimit(db: Db): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const start: number = after;
    after = await db.transaction().execute((trx) => refreshBatch(trx, start));
    // SQLite responds within one turn of the event loop: without this pause, other requests would wait for the whole list.
    await setImmediate();
  }
}

/** Refreshes the next batch of customers. Returns the last one's id; undefined if there are no more. */
async function refreshBatch(trx: Trx, after: number): Promise<number | undefined> {
  const part = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limitInIndexOrder(BATCH_SIZE))
    .execute();
  const last = part.at(-1)?.id;
  if (last === undefined) return undefined;
  const { rows: found } = await sql<CustomerAtLimit>`
    select accounts.id, accounts.parent_id, accounts.name, plans.name as plan, plans.id as plan_id, ${reachedLimitColumns}
    from accounts join plans on plans.account_id = accounts.parent_id and plans.id = accounts.plan_id
    where accounts.id > ${after} and accounts.id <= ${last} and accounts.deleted_at is null
      and ${hasReachedAnyLimit}`.execute(trx);
  const known = await trx
    .selectFrom('customers_at_limit')
    .select('customer_id')
    .where('customer_id', '>', after)
    .where('customer_id', '<=', last)
    .execute();
  const before = new Set(known.map(({ customer_id }) => customer_id));
  const now = new Set(found.map(({ id }) => id));
  const cleared = [...before].filter((id) => !now.has(id));
  await recordReached(
    trx,
    found.filter(({ id }) => !before.has(id)),
  );
  if (cleared.length > 0) await trx.deleteFrom('customers_at_limit').where('customer_id', 'in', cleared).execute();
  return part.length < BATCH_SIZE ? undefined : last;
}

/** A customer with its seller and plan, and 1 for each limit that it has reached. */
interface CustomerAtLimit extends Record<PlanLimit, 0 | 1> {
  id: number;
  parent_id: number;
  name: string;
  plan: string;
  plan_id: number;
}

/** Stores customers that have reached a limit, and records this in their logs and in those of their sellers. */
async function recordReached(trx: Trx, reached: readonly CustomerAtLimit[]): Promise<void> {
  if (reached.length === 0) return;
  const locked = new Set(reached.flatMap(({ id, parent_id }) => [id, parent_id]));
  for (const id of [...locked].sort((a, b) => a - b)) await lockAccount(trx, id);
  const added = await trx
    .insertInto('customers_at_limit')
    .values(reached.map(({ id, parent_id }) => ({ customer_id: id, account_id: parent_id })))
    // Another process may have stored the customer at the same time: then that process records the event.
    .onConflict((conflict) => conflict.column('customer_id').doNothing())
    .returning('customer_id')
    .execute();
  const ids = new Set(added.map(({ customer_id }) => customer_id));
  await recordAuditEvents(trx, reached.filter(({ id }) => ids.has(id)).flatMap(eventsOf));
}

function eventsOf(customer: CustomerAtLimit): NamedAuditEvent[] {
  const { id, parent_id, name, plan, plan_id } = customer;
  const limits = planLimits.filter((limit) => customer[limit] === 1);
  const action = 'limit_reached';
  const ofSeller = { action: `customer.${action}`, subject: `customer_${id}`, details: { name, plan, limits } };
  const own = { action: `plan.${action}`, subject: `plan_${plan_id}`, details: { name: plan, limits } };
  return [
    { accountId: parent_id, actor: service, event: ofSeller },
    { accountId: id, actor: service, event: own },
  ];
}
