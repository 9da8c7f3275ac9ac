import { isNotDeleted, isNotDeletedById } from '../accounts/not-deleted.ts';
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
  /** The customer's first verified domain; null for none. */
  primaryHost: string | null;
  status: 'active' | 'suspended';
  suspensionReason: string | null;
  createdAt: number;
  plan: PlanRow;
  /** The first day on which the customer pays; null unless it is in a trial. */
  trialEndsOn: string | null;
  scheduled: ScheduledChange | undefined;
}

export { isNotDeleted };

/** Selects customers without their plans, for queries by id. Excludes deleted customers. */
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
    .where(isNotDeletedById);
}

type CustomerRow = Awaited<ReturnType<ReturnType<typeof selectCustomers>['execute']>>[number];

/**
 * Returns customers of the account with their plans and scheduled changes. With a join, PostgreSQL may read all customers of
 * every plan.
 */
export async function withPlans(db: Db, accountId: number, rows: readonly CustomerRow[]): Promise<Customer[]> {
  const plans = new Map((await listPlans(db, accountId)).map((plan) => [plan.id, plan]));
  const ids = rows.map(({ id }) => id);
  const changes = new Map(
    (await findScheduledChanges(db, accountId, ids)).map((scheduled) => [scheduled.customerId, scheduled]),
  );
  return rows.flatMap(
    ({ plan_id, trial_ends_on, created_at: createdAt, suspension_reason: suspensionReason, ...row }) => {
      // An account on none of the seller's plans is no customer of the seller.
      const plan = plans.get(plan_id!);
      if (!plan) return [];
      const trialEndsOn = isInTrial({ trial_ends_on }, plan) ? trial_ends_on : null;
      return [{ ...row, suspensionReason, createdAt, plan, trialEndsOn, scheduled: changes.get(row.id) }];
    },
  );
}
