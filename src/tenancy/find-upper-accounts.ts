import { sql } from 'kysely';
import type { Db } from '../db/database.ts';

/** The two uppermost accounts of those above an account and itself. */
export interface UpperAccounts {
  /** The account that the operator has set up. */
  topLevelId: number;
  /** Its customer; the top-level account itself if there is none in between. */
  customerId: number;
}

/**
 * Returns the uppermost accounts above an account. Anybody can create any number of customers, so what is shared out fairly is shared out
 * among these. The way up may be of any length: a limit would give each part of a long one a share of its own.
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
