import { type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { Interval } from '../db/schema.ts';
import { getRevenueTotals } from './revenue-totals.ts';

/** `move`: a scheduled change of plan. `trial`: the end of a trial. */
type ForecastKind = 'move' | 'trial';

/** The known changes of one month, and the annual revenue after it if nothing else happens. */
export interface ForecastMonth {
  /** `YYYY-MM` */
  month: string;
  moves: { count: number; annualCents: number };
  trials: { count: number; annualCents: number };
  annualCents: number;
}

/** One change of one customer. */
export interface ForecastLine {
  kind: ForecastKind;
  /** `YYYY-MM-DD` */
  day: string;
  customerId: number;
  name: string;
  /** The plans before and after. They are the same if a trial ends. */
  from: string;
  to: string;
  priceCents: number;
  interval: Interval;
  /** The change in the cents that the customer pays a year. */
  changeCents: number;
}

/**
 * Returns the effect of scheduled plan changes and ending trials on the revenue, by month. It only counts known changes, and
 * leaves out suspended customers and changes that cannot be made.
 */
export async function getForecast(
  db: Db,
  accountId: number,
): Promise<{ annualCents: number; months: ForecastMonth[] }> {
  const { annualCents } = await getRevenueTotals(db, accountId, Number.MAX_SAFE_INTEGER);
  const { rows } = await sql<{ month: string; kind: ForecastKind; count: number | string; change: number | string }>`
    select substr(day, 1, 7) as month, kind, count(*) as count, sum(change_cents) as change
    from (${events(db, accountId)}) as known group by substr(day, 1, 7), kind order by 1`.execute(db);
  let annual = annualCents;
  const months = [...Map.groupBy(rows, ({ month }) => month)].map(([month, parts]) => {
    const of = (wanted: ForecastKind) => {
      const part = parts.find(({ kind }) => kind === wanted);
      return { count: Number(part?.count ?? 0), annualCents: Number(part?.change ?? 0) };
    };
    const [moves, trials] = [of('move'), of('trial')];
    annual += moves.annualCents + trials.annualCents;
    return { month, moves, trials, annualCents: annual };
  });
  return { annualCents, months };
}

/** The position of a line in the list. */
export type ForecastCursor = Pick<ForecastLine, 'day' | 'customerId' | 'kind'>;

/** Lists the changes behind the forecast, for one month or all, by day. Their sums are the amounts of the forecast. */
export async function listForecast(
  db: Db,
  accountId: number,
  { month, after, limit }: { month?: string | undefined; after?: ForecastCursor | undefined; limit: number },
): Promise<ForecastLine[]> {
  const { day, customerId, kind } = after ?? { day: '', customerId: 0, kind: '' };
  const { rows } = await sql<Row>`
    select * from (${events(db, accountId)}) as known
    where (day, customer_id, kind) > (${day}, ${customerId}, ${kind})
      and (${month ?? ''} = '' or substr(day, 1, 7) = ${month ?? ''})
    order by day, customer_id, kind limit ${limitInIndexOrder(limit)}`.execute(db);
  return rows.map((row) => ({
    kind: row.kind,
    day: row.day,
    customerId: row.customer_id,
    name: row.name,
    from: row.from_plan,
    to: row.to_plan,
    priceCents: row.price_cents,
    interval: row.interval,
    changeCents: row.change_cents,
  }));
}

interface Row {
  kind: ForecastKind;
  day: string;
  customer_id: number;
  name: string;
  from_plan: string;
  to_plan: string;
  price_cents: number;
  interval: Interval;
  change_cents: number;
}

/**
 * Selects all known changes. On the day on which a trial ends, scheduled changes come first. The first plan with a price may
 * begin with a trial, whose end is then a change too.
 */
function events(db: Db, accountId: number): RawBuilder<unknown> {
  const isSqlite = dialectOf(db) === 'sqlite';
  const trialEnd = isSqlite
    ? sql`date(moves.day, '+' || moves.trial_days || ' days')`
    : sql`(moves.day::date + moves.trial_days::int)::text`;
  return sql`
    with moves as (
      select accounts.id as customer_id, accounts.name, accounts.trial_ends_on, scheduled.day,
        old_plans.name as from_plan, new_plans.name as to_plan, new_plans.price_cents, new_plans.interval,
        new_plans.trial_days, ${annual('old_plans')} as old_cents, ${annual('new_plans')} as new_cents,
        case when accounts.trial_ends_on is null and new_plans.trial_days > 0 and new_plans.price_cents > 0
          and not exists (select 1 from plan_changes where plan_changes.account_id = ${accountId}
            and plan_changes.customer_id = accounts.id and plan_changes.to_price_cents > 0) then 1 else 0 end as begins
      from scheduled_plan_changes as scheduled
      join accounts on accounts.id = scheduled.customer_id
      join plans as old_plans on old_plans.account_id = scheduled.account_id and old_plans.id = accounts.plan_id
      join plans as new_plans on new_plans.account_id = scheduled.account_id and new_plans.id = scheduled.plan_id
      where scheduled.account_id = ${accountId} and scheduled.cancelled_at is null and scheduled.failed_at is null
        and new_plans.retired_at is null and ${isActive}
    )
    select 'move' as kind, moves.day, moves.customer_id, moves.name, moves.from_plan, moves.to_plan, moves.price_cents,
      moves.interval,
      case when moves.begins = 1 or moves.trial_ends_on >= moves.day then 0 else moves.new_cents - moves.old_cents end
        as change_cents
    from moves
    union all
    select 'trial', ${trialEnd}, moves.customer_id, moves.name, moves.to_plan, moves.to_plan, moves.price_cents,
      moves.interval, moves.new_cents
    from moves where moves.begins = 1
    union all
    select 'trial', accounts.trial_ends_on, accounts.id, accounts.name, plans.name, plans.name, plans.price_cents,
      plans.interval, ${annual('plans')}
    from accounts
    left join scheduled_plan_changes as scheduled on scheduled.customer_id = accounts.id
      and scheduled.cancelled_at is null and scheduled.failed_at is null and scheduled.day <= accounts.trial_ends_on
    join plans on plans.account_id = ${accountId} and plans.id = coalesce(scheduled.plan_id, accounts.plan_id)
    where accounts.parent_id = ${accountId} and accounts.trial_ends_on is not null and plans.price_cents > 0
      and ${isActive}`;
}

const isActive = sql`accounts.status = 'active' and coalesce(accounts.deleted_at, accounts.deletes_at, 0) = 0`;

/** Returns an expression for the cents that a plan brings in a year. */
function annual(plans: string): RawBuilder<number> {
  const [price, interval] = [sql.ref(`${plans}.price_cents`), sql.ref(`${plans}.interval`)];
  return sql`${price} * case ${interval} when 'month' then 12 when 'quarter' then 4 else 1 end`;
}
