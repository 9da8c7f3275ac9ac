import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import type { Findings } from './findings.ts';
import { type TableName, tableNames } from './tables.ts';

/** What of a deleted account stays: see `accounts/delete-account.ts`. Attempts to sign in are of nobody's account. */
const kept: readonly TableName[] = ['accounts', 'plans', 'plan_changes', 'released_subdomains', 'sign_in_attempts'];

/** Of accounts that were deleted nothing is left that is anybody's. */
export async function checkDeleted(trx: Trx, findings: Findings): Promise<void> {
  for (const table of tableNames.filter((name) => !kept.includes(name))) {
    const { rows } = await sql<{ id: number }>`
      select id from accounts where deleted_at is not null
        and exists (select 1 from ${sql.table(table)} as its where its.account_id = accounts.id)
      order by id limit 1000`.execute(trx);
    for (const { id } of rows) findings.add('tenants', `account_${id}: it was deleted, but has rows in ${table}.`);
  }
}
