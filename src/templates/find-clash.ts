import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';

/**
 * Returns which field of a page another page of the site has taken; undefined if none. Checked before the change: an error of
 * PostgreSQL would end the transaction, with all other pages.
 */
export async function findClash(
  trx: Trx,
  siteId: number,
  { id, parentId, name, urlname }: { id: number; parentId: number | null; name: string; urlname: string },
): Promise<'name_taken' | 'address_taken' | undefined> {
  const { rows } = await sql<{ name: string }>`
    select name from pages where account_id = ${siteId} and name = ${name} and id <> ${id}`.execute(trx);
  if (rows.length > 0) return 'name_taken';
  const { rows: siblings } = await sql`
    select id from pages
    where account_id = ${siteId} and coalesce(parent_id, 0) = ${parentId ?? 0} and urlname = ${urlname} and id <> ${id}`.execute(
    trx,
  );
  return siblings.length > 0 ? 'address_taken' : undefined;
}
