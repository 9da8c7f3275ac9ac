import { type Kysely, sql } from 'kysely';
import type { Dialect } from '../database.ts';

/** Adds trials: plans may begin with free days, and the ledger marks the lines of customers in a trial. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const int = dialect === 'sqlite' ? 'integer' : 'bigint';
  for (const statement of [
    `alter table plans add column trial_days ${int} not null default 0`,
    `alter table plans add column trial_customers ${int} not null default 0 check (trial_customers >= 0)`,
    `alter table plan_changes add column is_trial ${int} not null default 0 check (is_trial in (0, 1))`,
    'alter table accounts add column trial_ends_on text',
    'create index accounts_trial on accounts (trial_ends_on, parent_id, id) where trial_ends_on is not null',
    'create index accounts_trial_of on accounts (parent_id, trial_ends_on, id) where trial_ends_on is not null',
  ]) {
    await sql.raw(statement).execute(db);
  }
}
