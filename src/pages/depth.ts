import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import { MAX_DEPTH } from './page.ts';

/** Returns the level of a page: 1 for a root page, 2 for its children, …; 0 if the account has no page with this id. */
export async function depthOf(trx: Trx, accountId: number, id: number): Promise<number> {
  const [row] = await selectDepth(trx, { accountId, id });
  return row?.depth ?? 0;
}

const selectDepth = prepared<{ accountId: number; id: number }, { depth: number | null }>((db, parameter) => {
  const account = parameter('accountId');
  // The depth is bounded, so that a cycle in damaged data cannot hang the service.
  const compiled = sql<{ depth: number | null }>`
    with recursive ancestors (parent_id, depth) as (
      select parent_id, 1 from pages where account_id = ${account} and id = ${parameter('id')}
      union all
      select pages.parent_id, ancestors.depth + 1
      from ancestors ${lookupJoin(db, 'pages', sql`pages.account_id = ${account} and pages.id = ancestors.parent_id`)}
      where ancestors.depth <= ${sql.lit(MAX_DEPTH)}
    )
    select max(depth) as depth from ancestors`;
  return { compile: () => compiled.compile(db) };
});
