import type { Db } from '../db/database.ts';
import type { Interval } from '../db/schema.ts';
import { primaryHost } from '../sites/primary-host.ts';

/** A customer as its seller sees it in lists. */
export interface Customer {
  id: number;
  name: string;
  subdomain: string;
  /** The first verified domain of its own; null for none. */
  primaryHost: string | null;
  status: 'active' | 'suspended';
  createdAt: number;
  planName: string;
  planPriceCents: number;
  planInterval: Interval;
}

/** Selects customers with their plans; not those that were deleted. */
export function selectCustomers(db: Db) {
  return db
    .selectFrom('accounts')
    .innerJoin('plans', (join) =>
      join.onRef('plans.account_id', '=', 'accounts.parent_id').onRef('plans.id', '=', 'accounts.plan_id'),
    )
    .select((e) => [
      'accounts.id',
      'accounts.name',
      'accounts.subdomain',
      'accounts.status',
      'accounts.created_at',
      'plans.name as planName',
      'plans.price_cents as planPriceCents',
      'plans.interval as planInterval',
      primaryHost(e),
    ])
    .where('accounts.deleted_at', 'is', null);
}

type CustomerRow = Awaited<ReturnType<ReturnType<typeof selectCustomers>['execute']>>[number];

export function customerOf({ created_at, ...row }: CustomerRow): Customer {
  return { ...row, createdAt: created_at };
}
