import { sql } from 'kysely';
import type { Db } from '../db/database.ts';
import { deleteInBatches } from '../db/delete-in-batches.ts';

/** How long an import is listed, and a stopped import can be resumed. */
export const IMPORT_RETENTION_MS = 30 * 24 * 60 * 60 * 1000;

/** Deletes old imports, whose skipped lines contain names and addresses of people. Returns their number. */
export async function pruneImports(db: Db, now = Date.now()): Promise<number> {
  const isOld = sql`state <> 'running' and ended_at <= ${now - IMPORT_RETENTION_MS}`;
  await deleteInBatches(db, {
    table: 'customer_import_parts',
    key: ['account_id', 'import_id', 'part'],
    where: sql`(account_id, import_id) in (select account_id, id from customer_imports where ${isOld})`,
  });
  const where = sql`${isOld} and not exists (
    select 1 from customer_import_parts as parts
    where parts.account_id = customer_imports.account_id and parts.import_id = customer_imports.id
  )`;
  return deleteInBatches(db, { table: 'customer_imports', key: ['id'], where });
}
