import type { Selectable } from 'kysely';
import type { Db } from '../db/database.ts';
import type { AuditLogTable } from '../db/schema.ts';

export type DeedRow = Selectable<AuditLogTable>;

/** What was done in the account, the latest first; only what came before the entry `before`, where that is given. */
export function listDeeds(
  db: Db,
  accountId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<DeedRow[]> {
  let query = db
    .selectFrom('audit_log')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(limit);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.execute();
}
