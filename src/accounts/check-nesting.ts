import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { Refusal } from '../refusal.ts';

/** The most levels of accounts, with the top-level account as the first. Agencies have two or three below them. */
export const MAX_ACCOUNT_LEVELS = 30;

/**
 * Checks that the account may have customers. Anybody can create customers of customers, and many queries follow the path
 * up to the top-level account. With 10,000 levels, an anonymous request held up all others for seconds.
 * @throws Refusal if the account is on the last level
 */
export async function checkNesting(trx: Trx, accountId: number): Promise<void> {
  const [path] = await selectLevel(trx, { accountId });
  if (path && path.level < MAX_ACCOUNT_LEVELS) return;
  throw new Refusal('conflict', { reason: 'customers_nested_too_deeply', params: { max: MAX_ACCOUNT_LEVELS } });
}

/** Returns the level of an account. Stops at the last level: accounts from earlier versions may be on lower ones. */
const selectLevel = prepared<{ accountId: number }, { level: number }>((db, parameter) => ({
  compile: () =>
    sql<{ level: number }>`
      with recursive above (parent_id, level) as (
        select parent_id, 1 from accounts where id = ${parameter('accountId')}
        union all
        select sellers.parent_id, above.level + 1 from above
        join accounts as sellers on sellers.id = above.parent_id
        where above.level < ${sql.lit(MAX_ACCOUNT_LEVELS)}
      )
      select max(level) as level from above`.compile(db),
}));
