import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

const movements = ['new', 'expansion', 'contraction', 'churn', 'reactivation'] as const;

/** Adds the revenue of each plan. Adds each customer's first line to all of its lines, for the customers of a month. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  const end = dialect === 'sqlite' ? ') strict' : ')';
  const key = 'account_id, plan_id';
  for (const statement of [
    `alter table revenue_lines add column first_line_id ${int} not null default 0`,
    fillFirstLines,
    `create index revenue_lines_first on revenue_lines (account_id, first_line_id, line_id, next_line_id, state,
      annual_cents)`,
    `create table plan_revenue_lines (
      line_id ${int} not null,
      plan_id ${int} not null,
      account_id ${int} not null,
      customer_id ${int} not null references accounts (id),
      next_line_id ${int} not null,
      at ${int} not null,
      state text not null check (state in ('paying', 'free', 'inactive')),
      annual_cents ${int} not null,
      movement text check (movement in (${movements.map((movement) => `'${movement}'`).join(', ')})),
      change_cents ${int} not null,
      paying_count ${int} not null,
      free_count ${int} not null,
      ${movements.map((movement) => `${movement}_cents ${int} not null, ${movement}_count ${int} not null`).join(', ')},
      primary key (line_id, plan_id),
      foreign key (account_id, plan_id) references plans (account_id, id)
    ${end}`,
    fillPlanLines,
    `create index plan_revenue_lines_at on plan_revenue_lines (${key}, at, line_id)`,
    `create index plan_revenue_lines_customer on plan_revenue_lines (${key}, customer_id, line_id)`,
    `create index plan_revenue_lines_state on plan_revenue_lines (${key}, state, customer_id, line_id, next_line_id)`,
    `create index plan_revenue_lines_movement on plan_revenue_lines (${key}, movement, line_id) where movement is not null`,
  ]) {
    await sql.raw(statement).execute(db);
  }
}

export const fillFirstLines = `
  update revenue_lines set first_line_id = (
    select min(line_id) from revenue_lines as lines
    where lines.account_id = revenue_lines.account_id and lines.customer_id = revenue_lines.customer_id)`;

const ofPlan = 'over (partition by account_id, plan_id order by line_id)';
const ofCustomer = 'partition by account_id, plan_id, customer_id order by line_id';

/** Fills the empty table, in the way `plans/record-plan-revenue.ts` writes the rows of new lines. */
export const fillPlanLines = `
  insert into plan_revenue_lines (line_id, plan_id, account_id, customer_id, next_line_id, at, state, annual_cents,
    movement, change_cents, paying_count, free_count,
    ${movements.map((movement) => `${movement}_cents, ${movement}_count`).join(', ')})
  with history as (
    select line_id, revenue_lines.account_id, revenue_lines.customer_id, at, state, annual_cents, movement,
      from_plan_id, to_plan_id,
      coalesce(lag(state) over customer, 'inactive') as before_state,
      coalesce(lag(annual_cents) over customer, 0) as before_cents
    from revenue_lines join plan_changes on plan_changes.id = line_id
    window customer as (partition by revenue_lines.account_id, revenue_lines.customer_id order by line_id)
  ), sides as (
    select line_id, account_id, customer_id, at, movement, from_plan_id as plan_id, before_state, before_cents,
      case when to_plan_id = from_plan_id then state else 'inactive' end as state,
      case when to_plan_id = from_plan_id then annual_cents else 0 end as annual_cents
    from history where before_state <> 'inactive' and from_plan_id is not null
    union all
    select line_id, account_id, customer_id, at, movement, to_plan_id, 'inactive', 0, state, annual_cents
    from history
    where state <> 'inactive' and (before_state = 'inactive' or from_plan_id is null or from_plan_id <> to_plan_id)
  ), moved as (
    select line_id, plan_id, account_id, customer_id, at, before_state, state, annual_cents,
      annual_cents - before_cents as change_cents,
      coalesce(lead(line_id) over (${ofCustomer}), ${Number.MAX_SAFE_INTEGER}) as next_line_id,
      case
        when annual_cents = before_cents then null
        when movement in ('new', 'churn', 'reactivation') then movement
        when annual_cents > before_cents then 'expansion'
        else 'contraction' end as movement
    from sides
  )
  select line_id, plan_id, account_id, customer_id, next_line_id, at, state, annual_cents, movement, change_cents,
    ${(['paying', 'free'] as const)
      .map(
        (
          state,
        ) => `sum(case when state = '${state}' then 1 else 0 end - case when before_state = '${state}' then 1 else 0 end)
          ${ofPlan}`,
      )
      .join(', ')},
    ${movements
      .map(
        (movement) => `sum(case when movement = '${movement}' then abs(change_cents) else 0 end) ${ofPlan},
          sum(case when movement = '${movement}' then 1 else 0 end) ${ofPlan}`,
      )
      .join(', ')}
  from moved order by line_id, plan_id`;
