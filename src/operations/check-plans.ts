import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { withIndexLookups } from '../db/with-index-lookups.ts';
import type { Findings } from './findings.ts';
import { readInBatches } from './read-in-batches.ts';

/** Checks that no accounts are customers of each other in a circle, and that each plan's stored counts are right. */
export async function checkPlans(trx: Trx, findings: Findings): Promise<void> {
  await checkCircles(trx, findings);
  await checkDefaults(trx, findings);
  await checkCounts(trx, findings);
}

async function checkCircles(trx: Trx, findings: Findings): Promise<void> {
  // `not in` would make PostgreSQL scan all reached rows for each account, and a plain join would make it scan all accounts
  // for each level.
  const circles = sql<{ id: number }>`
    with recursive reached (id) as (
      select id from accounts where parent_id is null or not exists (
        select 1 from accounts as sellers where sellers.id = accounts.parent_id
      )
      union all
      select accounts.id from reached ${lookupJoin(trx, 'accounts', sql`accounts.parent_id = reached.id`)}
    )
    select id from accounts except select id from reached order by id`;
  const { rows } = await withIndexLookups(trx, () => circles.execute(trx));
  for (const { id } of rows) findings.add('tenants', `account_${id}: its parent accounts form a cycle.`);
}

async function checkDefaults(trx: Trx, findings: Findings): Promise<void> {
  const { rows } = await sql<{ id: number; defaults: number }>`
    select accounts.id, count(plans.id) as defaults
    from accounts left join plans on plans.account_id = accounts.id and plans.is_default = 1
    group by accounts.id having count(plans.id) <> 1 order by accounts.id`.execute(trx);
  for (const { id, defaults } of rows) {
    findings.add(
      'plans',
      `account_${id}: ${defaults === 0 ? 'no' : 'more than one'} plan is the default for new customers.`,
    );
  }
}

async function checkCounts(trx: Trx, findings: Findings): Promise<void> {
  interface Row {
    id: number;
    account_id: number;
    active_customers: number;
    trial_customers: number;
    actual: number;
    in_trial: number;
  }
  const plans = readInBatches<Row>(async (after, limit) => {
    const { rows } = await sql<Row>`
      select id, account_id, active_customers, trial_customers,
        (select count(*) from accounts where accounts.parent_id = plans.account_id and accounts.plan_id = plans.id
          and accounts.status = 'active') as actual,
        (select count(*) from accounts where accounts.parent_id = plans.account_id and accounts.trial_ends_on is not null
          and accounts.plan_id = plans.id and accounts.status = 'active' and plans.price_cents > 0) as in_trial
      from plans where id > ${after?.id ?? 0} order by id limit ${limitInIndexOrder(limit)}`.execute(trx);
    return rows;
  });
  for await (const { id, account_id, active_customers, trial_customers, actual, in_trial } of plans) {
    if (trial_customers !== in_trial) {
      findings.add(
        'plans',
        `plan_${id} of account_${account_id}: ${trial_customers} customers in their trial are recorded, but it has ${in_trial}.`,
      );
    }
    if (active_customers !== actual) {
      findings.add(
        'plans',
        `plan_${id} of account_${account_id}: ${active_customers} active customers are recorded, but it has ${actual}.`,
      );
    }
  }
}
