import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The two uppermost accounts on the path from an account up to its top-level account. */
export interface UpperAccounts {
  /** The account that the operator has created. */
  topLevelId: number;
  /** The customer of the top-level account on the path; the top-level account itself if the path has no other. */
  customerId: number;
}

/**
 * Returns the uppermost accounts above an account. Anyone can create any number of customers, so fair shares are given to these
 * accounts only. The depth is not limited: with a limit, each account below it would get a share of its own.
 */
export async function findUpperAccounts(db: Db, accountId: number): Promise<UpperAccounts> {
  const { rows } = await sql<{ id: number; parentId: number | null }>`
    with recursive above (id, parent_id) as (
      select id, parent_id from accounts where id = ${accountId}
      union all
      select sellers.id, sellers.parent_id from above join accounts as sellers on sellers.id = above.parent_id
    )
    select id, parent_id as "parentId" from above
    where parent_id is null or parent_id in (select id from above where parent_id is null)`.execute(db);
  const topLevelId = rows.find(({ parentId }) => parentId === null)?.id ?? accountId;
  return { topLevelId, customerId: rows.find(({ parentId }) => parentId === topLevelId)?.id ?? topLevelId };
}
