import { sql } from 'kysely';
import { operator } from '../src/audit/record-audit-event.ts';
import { type Db, dialectOf } from '../src/db/database.ts';
import { disableStatementTimeout } from '../src/db/disable-statement-timeout.ts';
import { fillFromLedger } from '../src/db/migrations/030-revenue.ts';
import { fillFirstLines, fillPlanLines } from '../src/db/migrations/044-plan-revenue.ts';
import { createPlan } from '../src/plans/plans.ts';
import { addAccount, addManyCustomers, type BenchAccount } from './data.ts';

export const CUSTOMERS = 100_000;
const DAY_MS = 24 * 60 * 60 * 1000;
const FIVE_YEARS_MS = 5 * 365 * DAY_MS;

const paidPlans = [
  { name: 'Small', price: '19', interval: 'month' },
  { name: 'Large', price: '299.99', interval: 'year' },
  { name: 'Middle', price: '49.50', interval: 'quarter' },
];

/** The ledger lines of each customer. Plans are numbered relative to the customer's first plan. */
const steps = `
  select 0 as step, 'created' as kind, null as before, 0 as after
  union all select 1, 'moved', 0, 1
  union all select 2, 'moved', 1, 2
  union all select 3, 'suspended', 2, null
  union all select 4, 'restored', null, 2
  union all select 5, 'moved', 2, 3`;

/**
 * Adds an account with 100,000 customers and the 600,000 ledger lines of five years. Customers arrive evenly, start on each of four
 * plans in turn, and change between these plans. Each has a user who was sent a mail.
 */
export async function addLedger(db: Db): Promise<BenchAccount> {
  const account = await addAccount(db, 'ledger');
  await addManyCustomers(db, account, CUSTOMERS);
  const { id } = account;
  const begin = Date.now() - FIVE_YEARS_MS;
  const int = sql.raw(dialectOf(db) === 'sqlite' ? 'integer' : 'bigint');
  // The steps divide the customer's time into seven equal parts.
  const at = sql`cast(${sql.lit(begin)} + (rank + (${sql.lit(CUSTOMERS)} - rank) * step / 7.0) * ${sql.lit(FIVE_YEARS_MS / CUSTOMERS)} as ${int})`;
  const ranks = sql`select id as customer_id, row_number() over (order by id) as rank from accounts where parent_id = ${sql.lit(id)}`;
  const plans = sql`select *, row_number() over (order by id) - 1 as place from plans where account_id = ${sql.lit(id)}`;
  await db.transaction().execute(async (trx) => {
    await disableStatementTimeout(trx, dialectOf(db));
    for (const plan of paidPlans) await createPlan(trx, id, { ...plan, isDefault: false }, operator);
    await sql`
      insert into plan_changes (account_id, customer_id, kind, from_plan_id, from_plan_name, from_price_cents,
        from_interval, to_plan_id, to_plan_name, to_price_cents, to_interval, actor, created_at)
      select ${sql.lit(id)}, customer_id, kind, f.id, f.name, f.price_cents, f.interval, t.id, t.name, t.price_cents,
        t.interval, 'operator', ${at} as at
      from (${ranks}) as customers cross join (${sql.raw(steps)}) as steps
      left join (${plans}) as f on f.place = (rank + before) % 4
      left join (${plans}) as t on t.place = (rank + after) % 4
      order by at, customer_id`.execute(trx);
    for (const fill of [fillFromLedger, fillFirstLines, fillPlanLines]) await sql.raw(fill).execute(trx);
    await sql`
      update accounts set name_key = lower(name), created_at = first.created_at, plan_id = last.to_plan_id
      from plan_changes as first, plan_changes as last
      where accounts.parent_id = ${sql.lit(id)} and first.kind = 'created'
        and first.account_id = ${sql.lit(id)} and first.customer_id = accounts.id
        and last.account_id = ${sql.lit(id)} and last.customer_id = accounts.id
        and last.id = (select max(id) from plan_changes where account_id = ${sql.lit(id)} and customer_id = accounts.id)`.execute(
      trx,
    );
    await sql`
      update plans set active_customers = (select count(*) from accounts where plan_id = plans.id)
      where account_id = ${sql.lit(id)}`.execute(trx);
    await addPeople(trx, id);
    // PostgreSQL does this by itself after a while, and SQLite never.
    if (dialectOf(db) === 'postgres') await sql.raw('analyze').execute(trx);
  });
  return account;
}

/** Adds a user and a mail for each customer. One of a hundred mails failed. */
async function addPeople(trx: Db, seller: number): Promise<void> {
  const address = sql`'owner-' || id || '@example.com'`;
  await sql`
    insert into users (account_id, name, email, email_key, role, created_at)
    select id, 'Olivia Owner', ${address}, ${address}, 'owner', created_at from accounts
    where parent_id = ${sql.lit(seller)}`.execute(trx);
  await sql`
    insert into outbox (account_id, message_id, from_name, to_name, to_email, subject, text, html, status, attempts,
      due_at, created_at)
    select id, 'm' || id, 'Agency', 'Olivia Owner', ${address}, 'Your website', 'Hello', 'Hello',
      case when id % 100 = 0 then 'failed' else 'sent' end, 1, created_at, created_at
    from accounts where parent_id = ${sql.lit(seller)}`.execute(trx);
}
