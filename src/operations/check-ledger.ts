import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import type { Findings } from './findings.ts';
import { groups, readInBatches } from './read-in-batches.ts';

interface Line {
  id: number;
  account_id: number;
  customer_id: number;
  kind: 'created' | 'moved' | 'suspended' | 'restored';
  from_plan_id: number | null;
  from_plan_name: string | null;
  from_price_cents: number | null;
  from_interval: string | null;
  to_plan_id: number | null;
  to_plan_name: string | null;
  to_price_cents: number | null;
  to_interval: string | null;
  created_at: number;
  /** The customer's current status; null if the seller has no such customer. */
  status: 'active' | 'suspended' | null;
  plan_id: number | null;
  customer_created_at: number | null;
  /** The customer's current plan. */
  plan_name: string | null;
  price_cents: number | null;
  interval: string | null;
}

interface State {
  status: 'active' | 'suspended';
  plan: Plan;
  at: number;
}

interface Plan {
  id: number | null;
  name: string | null;
  cents: number | null;
  interval: string | null;
}

/** How far the clocks of machines that share a database may differ. */
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * Checks that the ledger has the whole history of every customer: each line continues the previous one, and the last one
 * agrees with the customer's current state.
 */
export async function checkLedger(trx: Trx, findings: Findings): Promise<void> {
  const lines = readInBatches<Line>((after, limit) => {
    let query = trx
      .selectFrom('plan_changes')
      .leftJoin('accounts', (join) =>
        join
          .onRef('accounts.id', '=', 'plan_changes.customer_id')
          .onRef('accounts.parent_id', '=', 'plan_changes.account_id'),
      )
      .leftJoin('plans', (join) =>
        join.onRef('plans.account_id', '=', 'accounts.parent_id').onRef('plans.id', '=', 'accounts.plan_id'),
      )
      .select([
        'plan_changes.id',
        'plan_changes.account_id',
        'plan_changes.customer_id',
        'plan_changes.kind',
        'plan_changes.from_plan_id',
        'plan_changes.from_plan_name',
        'plan_changes.from_price_cents',
        'plan_changes.from_interval',
        'plan_changes.to_plan_id',
        'plan_changes.to_plan_name',
        'plan_changes.to_price_cents',
        'plan_changes.to_interval',
        'plan_changes.created_at',
        'accounts.status',
        'accounts.plan_id',
        'accounts.created_at as customer_created_at',
        'plans.name as plan_name',
        'plans.price_cents',
        'plans.interval',
      ])
      .orderBy('plan_changes.account_id')
      .orderBy('plan_changes.customer_id')
      .orderBy('plan_changes.id')
      .limit(limitInIndexOrder(limit));
    if (after) {
      query = query.where(
        sql<boolean>`(plan_changes.account_id, plan_changes.customer_id, plan_changes.id)
          > (${after.account_id}, ${after.customer_id}, ${after.id})`,
      );
    }
    return query.execute();
  });
  for await (const story of groups(lines, ({ customer_id }) => customer_id)) checkStory(story, findings);
  await checkUnrecorded(trx, findings);
}

function checkStory(story: readonly [Line, ...Line[]], findings: Findings): void {
  const [{ customer_id, account_id, status, plan_id, plan_name, price_cents, interval, customer_created_at }] = story;
  const report = (message: string) => findings.add('ledger', `account_${customer_id}: ${message}`);
  if (status === null) {
    report(`it has lines in the ledger of account_${account_id}, but is not its customer.`);
    return;
  }
  let state: State | undefined;
  for (const line of story) {
    const name = `line ${line.id} of the ledger (${line.kind})`;
    if (!follows(line, state)) report(`${name} does not follow the previous line.`);
    else if (state && !isSame(line.kind === 'restored' ? to(line) : from(line), state.plan)) {
      report(`${name} begins with another plan name, price or interval than the previous line ends with.`);
    }
    if (state && line.created_at < state.at - MAX_CLOCK_SKEW_MS)
      report(`${name} has an earlier time than the previous line.`);
    if (!state && Math.abs(line.created_at - customer_created_at!) > MAX_CLOCK_SKEW_MS) {
      report(`${name} has another time than the account.`);
    }
    state = {
      status: line.kind === 'suspended' ? 'suspended' : line.kind === 'moved' ? (state?.status ?? 'active') : 'active',
      plan: line.to_plan_id === null ? from(line) : to(line),
      at: line.created_at,
    };
  }
  const { plan, status: last } = state!;
  if (last !== status) report(`it is ${status}, but the ledger says ${last}.`);
  if (plan.id !== plan_id) report(`it is on plan_${plan_id}, but the ledger says plan_${plan.id}.`);
  else if (!isSame(plan, { id: plan_id, name: plan_name, cents: price_cents, interval })) {
    report(`the ledger gives plan_${plan_id} another name, price or interval than it has.`);
  }
}

function follows({ kind, from_plan_id, to_plan_id }: Line, before: State | undefined): boolean {
  switch (kind) {
    case 'created':
      return before === undefined && from_plan_id === null && to_plan_id !== null;
    case 'moved':
      return before !== undefined && from_plan_id === before.plan.id && to_plan_id !== null;
    case 'suspended':
      return before?.status === 'active' && from_plan_id === before.plan.id && to_plan_id === null;
    case 'restored':
      return before?.status === 'suspended' && from_plan_id === null && to_plan_id === before.plan.id;
  }
}

function from(line: Line): Plan {
  return {
    id: line.from_plan_id,
    name: line.from_plan_name,
    cents: line.from_price_cents,
    interval: line.from_interval,
  };
}

function to(line: Line): Plan {
  return { id: line.to_plan_id, name: line.to_plan_name, cents: line.to_price_cents, interval: line.to_interval };
}

function isSame(one: Plan, other: Plan): boolean {
  return one.id === other.id && one.name === other.name && one.cents === other.cents && one.interval === other.interval;
}

async function checkUnrecorded(trx: Trx, findings: Findings): Promise<void> {
  const customers = readInBatches<{ id: number }>((after, limit) =>
    trx
      .selectFrom('accounts')
      .select('id')
      .where('parent_id', 'is not', null)
      .where((e) =>
        e.not(
          e.exists(
            e
              .selectFrom('plan_changes')
              .select('plan_changes.id')
              .whereRef('plan_changes.account_id', '=', 'accounts.parent_id')
              .whereRef('plan_changes.customer_id', '=', 'accounts.id')
              .where('kind', '=', 'created'),
          ),
        ),
      )
      .where('id', '>', after?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
  for await (const { id } of customers) {
    findings.add('ledger', `account_${id}: the ledger has no entry for its creation.`);
  }
}
