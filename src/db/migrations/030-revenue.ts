import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

const movements = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;

/** Adds the effect of each line of the ledger on the recurring revenue, with the seller's running totals. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  const end = dialect === 'sqlite' ? ') strict' : ')';
  for (const statement of [
    `create table revenue_lines (
      line_id ${int} not null primary key,
      account_id ${int} not null references accounts (id),
      customer_id ${int} not null references accounts (id),
      next_line_id ${int} not null,
      at ${int} not null,
      state text not null check (state in ('paying', 'free', 'inactive')),
      annual_cents ${int} not null,
      has_paid ${int} not null check (has_paid in (0, 1)),
      movement text check (movement in (${movements.map((movement) => `'${movement}'`).join(', ')})),
      change_cents ${int} not null,
      paying_count ${int} not null,
      free_count ${int} not null,
      ${movements.map((movement) => `${movement}_cents ${int} not null, ${movement}_count ${int} not null`).join(', ')}
    ${end}`,
    fillFromLedger,
    'create index revenue_lines_at on revenue_lines (account_id, at, line_id)',
    'create index revenue_lines_customer on revenue_lines (account_id, customer_id, line_id)',
    'create index revenue_lines_state on revenue_lines (account_id, state, customer_id, line_id, next_line_id)',
    'create index revenue_lines_movement on revenue_lines (account_id, movement, line_id) where movement is not null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}

const ofCustomer = 'partition by account_id, customer_id order by id';
const ofSeller = 'over (partition by account_id order by id)';

/** Fills the empty table from the ledger, in the way `plans/record-revenue-line.ts` writes new lines. */
export const fillFromLedger = `
  insert into revenue_lines (line_id, account_id, customer_id, next_line_id, at, state, annual_cents, has_paid, movement,
    change_cents, paying_count, free_count,
    ${movements.map((movement) => `${movement}_cents, ${movement}_count`).join(', ')})
  with activity as (
    select *,
      -- The latest line that began or ended the customer's activity: a move keeps it.
      max(case when from_plan_id is null then id * 2 + 1 when to_plan_id is null then id * 2 end)
        over (${ofCustomer}) % 2 as is_active
    from plan_changes
  ), priced as (
    select *,
      case when is_active = 1
        then to_price_cents * case to_interval when 'month' then 12 when 'quarter' then 4 else 1 end
        else 0 end as annual_cents
    from activity
  ), compared as (
    select id, account_id, customer_id, annual_cents,
      case when is_active = 0 then 'inactive' when annual_cents > 0 then 'paying' else 'free' end as state,
      max(created_at) ${ofSeller} as at,
      coalesce(lag(annual_cents) over (${ofCustomer}), 0) as before_cents,
      max(annual_cents) over (${ofCustomer}) as most_cents,
      coalesce(max(annual_cents) over (${ofCustomer} rows between unbounded preceding and 1 preceding), 0) as most_before,
      coalesce(lead(id) over (${ofCustomer}), ${Number.MAX_SAFE_INTEGER}) as next_line_id
    from priced
  ), moved as (
    select *, annual_cents - before_cents as change_cents,
      coalesce(lag(state) over (${ofCustomer}), 'inactive') as before_state,
      case
        when annual_cents = before_cents then null
        when before_cents = 0 and most_before = 0 then 'new'
        when before_cents = 0 then 'reactivation'
        when annual_cents = 0 then 'churn'
        when annual_cents > before_cents then 'expansion'
        else 'contraction' end as movement
    from compared
  )
  select id, account_id, customer_id, next_line_id, at, state, annual_cents,
    case when most_cents > 0 then 1 else 0 end, movement, change_cents,
    ${(['paying', 'free'] as const)
      .map(
        (
          state,
        ) => `sum(case when state = '${state}' then 1 else 0 end - case when before_state = '${state}' then 1 else 0 end)
          ${ofSeller}`,
      )
      .join(', ')},
    ${movements
      .map(
        (movement) => `sum(case when movement = '${movement}' then abs(change_cents) else 0 end) ${ofSeller},
          sum(case when movement = '${movement}' then 1 else 0 end) ${ofSeller}`,
      )
      .join(', ')}
  from moved order by id`;
