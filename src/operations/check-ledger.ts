import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';
import { groups, readInParts } from './read-in-parts.ts';

interface Line {
  id: number;
  account_id: number;
  customer_id: number;
  kind: 'created' | 'moved' | 'suspended' | 'restored';
  from_plan_id: number | null;
  to_plan_id: number | null;
  /** What the customer is now; null when the seller has no such customer. */
  status: 'active' | 'suspended' | null;
  plan_id: number | null;
}

interface State {
  status: 'active' | 'suspended';
  planId: number | null;
}

/** The ledger tells every customer's whole story, each line going on where the last one ended, up to what it is now. */
export async function checkLedger(trx: Trx, findings: Findings): Promise<void> {
  const lines = readInParts<Line>((after, limit) => {
    let query = trx
      .selectFrom('plan_changes')
      .leftJoin('accounts', (join) =>
        join
          .onRef('accounts.id', '=', 'plan_changes.customer_id')
          .onRef('accounts.parent_id', '=', 'plan_changes.account_id'),
      )
      .select([
        'plan_changes.id',
        'plan_changes.account_id',
        'plan_changes.customer_id',
        'plan_changes.kind',
        'plan_changes.from_plan_id',
        'plan_changes.to_plan_id',
        'accounts.status',
        'accounts.plan_id',
      ])
      .orderBy('plan_changes.account_id')
      .orderBy('plan_changes.customer_id')
      .orderBy('plan_changes.id')
      .limit(limit);
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
  const [{ customer_id, account_id, status, plan_id }] = story;
  const report = (message: string) => findings.add('ledger', `account_${customer_id}: ${message}`);
  if (status === null) {
    report(`it has lines in the ledger of account_${account_id}, but is no customer of it.`);
    return;
  }
  let state: State | undefined;
  for (const line of story) {
    if (!follows(line, state)) report(`line ${line.id} of the ledger (${line.kind}) does not follow the one before.`);
    state = {
      status: line.kind === 'suspended' ? 'suspended' : line.kind === 'moved' ? (state?.status ?? 'active') : 'active',
      planId: line.to_plan_id ?? line.from_plan_id,
    };
  }
  if (state!.status !== status) report(`it is ${status}, but the ledger says ${state!.status}.`);
  if (state!.planId !== plan_id) report(`it is on plan_${plan_id}, but the ledger says plan_${state!.planId}.`);
}

function follows({ kind, from_plan_id: from, to_plan_id: to }: Line, before: State | undefined): boolean {
  switch (kind) {
    case 'created':
      return before === undefined && from === null && to !== null;
    case 'moved':
      return before !== undefined && from === before.planId && to !== null;
    case 'suspended':
      return before?.status === 'active' && from === before.planId && to === null;
    case 'restored':
      return before?.status === 'suspended' && from === null && to === before.planId;
  }
}

async function checkUnrecorded(trx: Trx, findings: Findings): Promise<void> {
  const customers = readInParts<{ id: number }>((after, limit) =>
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
    findings.add('ledger', `account_${id}: the ledger does not tell of its creation.`);
  }
}
