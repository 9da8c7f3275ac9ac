import type { Trx } from '../db/database.ts';
import type { PlanRow } from '../plans/plans.ts';
import { getPlanUsage, limitsExceeded } from '../tenancy/plan-limits.ts';

/** Returns whether the customer has more of something than the plan allows. */
export async function isOverLimits(trx: Trx, customerId: number, plan: PlanRow): Promise<boolean> {
  const { max_pages: pages, max_people: people, max_storage_bytes: storage, max_domains: domains } = plan;
  if ([pages, people, storage, domains].every((limit) => limit === null)) return false;
  const used = await getPlanUsage(trx, customerId);
  const exceeded = limitsExceeded({
    pages: { ...used.pages, limit: pages },
    people: { ...used.people, limit: people },
    storage: { ...used.storage, limit: storage },
    domains: { ...used.domains, limit: domains },
  });
  return exceeded.length > 0;
}
