import { isThere, isThereById } from '../accounts/is-there.ts';
import { isInTrial } from '../accounts/trial.ts';
import type { Db } from '../db/database.ts';
import { listPlans, type PlanRow } from '../plans/plans.ts';
import { findScheduledChanges, type ScheduledChange } from '../scheduled-changes/scheduled-change.ts';
import { primaryHost } from '../sites/primary-host.ts';

/** A customer as its seller sees it in lists. */
export interface Customer {
  id: number;
  name: string;
  subdomain: string;
  /** The first verified domain of its own; null for none. */
  primaryHost: string | null;
  status: 'active' | 'suspended';
  suspensionReason: string | null;
  createdAt: number;
  plan: PlanRow;
  /** The day from which on it pays; null unless its trial is on. */
  trialEndsOn: string | null;
  scheduled: ScheduledChange | undefined;
}

export { isThere };

/** Selects customers, by their ids, without their plans; not those that were deleted. */
export function selectCustomers(db: Db) {
  return db
    .selectFrom('accounts')
    .select((e) => [
      'id',
      'name',
      'subdomain',
      'status',
      'suspension_reason',
      'created_at',
      'plan_id',
      'trial_ends_on',
      primaryHost(e),
    ])
    .where(isThereById);
}

type CustomerRow = Awaited<ReturnType<ReturnType<typeof selectCustomers>['execute']>>[number];

/** Adds plans and scheduled changes to customers of the account. As a join, PostgreSQL may read all customers of every plan. */
export async function withPlans(db: Db, accountId: number, rows: readonly CustomerRow[]): Promise<Customer[]> {
  const plans = new Map((await listPlans(db, accountId)).map((plan) => [plan.id, plan]));
  const ids = rows.map(({ id }) => id);
  const changes = new Map(
    (await findScheduledChanges(db, accountId, ids)).map((scheduled) => [scheduled.customerId, scheduled]),
  );
  return rows.flatMap(
    ({ plan_id, trial_ends_on, created_at: createdAt, suspension_reason: suspensionReason, ...row }) => {
      // Without a plan it is no customer of this account.
      const plan = plans.get(plan_id!);
      if (!plan) return [];
      const trialEndsOn = isInTrial({ trial_ends_on }, plan) ? trial_ends_on : null;
      return [{ ...row, suspensionReason, createdAt, plan, trialEndsOn, scheduled: changes.get(row.id) }];
    },
  );
}
