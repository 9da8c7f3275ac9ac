import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { planUsageReaches } from '../tenancy/plan-limits.ts';

/** How many customers one transaction looks at. */
const BATCH_SIZE = 200;

/**
 * Notes which customers have as much as their plan allows, of pages, people, images or domains, and forgets those that have not any more.
 * It counts what each customer on a plan with limits has, in parts, so that nobody waits for all of it.
 */
export async function refreshCustomersAtLimit(db: Db): Promise<void> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const start: number = after;
    after = await db.transaction().execute((trx) => refreshPart(trx, start));
    // SQLite answers within one turn of the event loop: without this, others would wait for the whole list.
    await setImmediate();
  }
}

/** Returns the last customer of the part; undefined if there are no more. */
async function refreshPart(trx: Trx, after: number): Promise<number | undefined> {
  const part = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limitInIndexOrder(BATCH_SIZE))
    .execute();
  const last = part.at(-1)?.id;
  if (last === undefined) return undefined;
  const { rows: found } = await sql<{ id: number; parent_id: number }>`
    select accounts.id, accounts.parent_id from accounts
    join plans on plans.account_id = accounts.parent_id and plans.id = accounts.plan_id
    where accounts.id > ${after} and accounts.id <= ${last} and accounts.deleted_at is null
      and ${planUsageReaches}`.execute(trx);
  const known = await trx
    .selectFrom('customers_at_limit')
    .select('customer_id')
    .where('customer_id', '>', after)
    .where('customer_id', '<=', last)
    .execute();
  const before = new Set(known.map(({ customer_id }) => customer_id));
  const now = new Set(found.map(({ id }) => id));
  const left = [...before].filter((id) => !now.has(id));
  if (left.length > 0) await trx.deleteFrom('customers_at_limit').where('customer_id', 'in', left).execute();
  const reached = found.filter(({ id }) => !before.has(id));
  if (reached.length > 0) {
    await trx
      .insertInto('customers_at_limit')
      .values(reached.map(({ id, parent_id }) => ({ customer_id: id, account_id: parent_id })))
      // Another process may be looking, too.
      .onConflict((conflict) => conflict.column('customer_id').doNothing())
      .execute();
  }
  return part.length < BATCH_SIZE ? undefined : last;
}
