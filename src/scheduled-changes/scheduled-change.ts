import type { Selectable } from 'kysely';
import type { Db, Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { ScheduledPlanChangesTable } from '../db/schema.ts';
import type { PlanRow } from '../plans/plans.ts';

/** The reason for which a change could not be made on its day. */
export type ScheduleFailure = NonNullable<Selectable<ScheduledPlanChangesTable>['failure']>;

/** A change of a customer's plan that is due on a day, or failed on it. */
export interface ScheduledChange {
  id: number;
  customerId: number;
  /** The day (`YYYY-MM-DD`, in the seller's time zone) at whose beginning the change is made. */
  day: string;
  failure: ScheduleFailure | null;
  /** The plan that the customer will get, as it is now. */
  plan: Pick<PlanRow, 'id' | 'name' | 'price_cents' | 'interval' | 'retired_at'>;
}

/** Returns the customer's scheduled change, or undefined if there is none. A customer has at most one. */
export async function findScheduledChange(
  db: Db | Trx,
  accountId: number,
  customerId: number,
): Promise<ScheduledChange | undefined> {
  const [found] = await findScheduledChanges(db, accountId, [customerId]);
  return found;
}

/** Returns the scheduled changes of these customers, in no particular order. */
export async function findScheduledChanges(
  db: Db | Trx,
  accountId: number,
  customerIds: readonly number[],
): Promise<ScheduledChange[]> {
  if (customerIds.length === 0) return [];
  const rows = await select(db, accountId).where('scheduled.customer_id', 'in', customerIds).execute();
  return rows.map(toScheduledChange);
}

export interface ListedScheduledChange extends ScheduledChange {
  customer: { name: string; subdomain: string };
}

/** Lists the account's scheduled changes by day, starting after the given one. */
export async function listScheduledChanges(
  db: Db,
  accountId: number,
  { after, limit }: { after?: Pick<ScheduledChange, 'day' | 'id'> | undefined; limit: number },
): Promise<ListedScheduledChange[]> {
  const rows = await select(db, accountId)
    .innerJoin('accounts', 'accounts.id', 'scheduled.customer_id')
    .select(['accounts.name as customer_name', 'accounts.subdomain'])
    .where((e) => e(e.refTuple('scheduled.day', 'scheduled.id'), '>', e.tuple(after?.day ?? '', after?.id ?? 0)))
    .orderBy('scheduled.day')
    .orderBy('scheduled.id')
    .limit(limitInIndexOrder(limit))
    .execute();
  return rows.map((row) => ({
    ...toScheduledChange(row),
    customer: { name: row.customer_name, subdomain: row.subdomain },
  }));
}

function select(db: Db | Trx, accountId: number) {
  return db
    .selectFrom('scheduled_plan_changes as scheduled')
    .innerJoin('plans', (join) =>
      join.onRef('plans.account_id', '=', 'scheduled.account_id').onRef('plans.id', '=', 'scheduled.plan_id'),
    )
    .select([
      'scheduled.id',
      'scheduled.customer_id',
      'scheduled.day',
      'scheduled.failure',
      'plans.id as plan_id',
      'plans.name',
      'plans.price_cents',
      'plans.interval',
      'plans.retired_at',
    ])
    .where('scheduled.account_id', '=', accountId)
    .where('scheduled.cancelled_at', 'is', null);
}

type Row = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

function toScheduledChange({ id, customer_id, day, failure, plan_id, ...row }: Row): ScheduledChange {
  const { name, price_cents, interval, retired_at } = row;
  return { id, customerId: customer_id, day, failure, plan: { id: plan_id, name, price_cents, interval, retired_at } };
}
