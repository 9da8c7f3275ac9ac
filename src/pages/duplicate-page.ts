import { sql } from 'kysely';
import { recordAuditEvent, type UserActor } from '../audit/record-audit-event.ts';
import type { Trx } from '../db/database.ts';
import { notFound } from '../errors.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { checkPlanLimit } from '../tenancy/plan-limits.ts';
import { numberedName } from './numbered-name.ts';
import { formatPageId } from './page.ts';
import { bytesIn, reserveBytes } from './page-bytes.ts';
import { parentKey } from './positions.ts';
import { countChildren, shiftSiblings, uniqueUrlname } from './siblings.ts';
import { toUrlname } from './urlname.ts';

/**
 * Copies a page without its descendants to the place after it, and returns the copy's id. Names are unique, so the
 * copy's name gets a number. The copy is unpublished: the site must not show a page twice while the copy is
 * being edited. All of the account's pages may take up `quota` bytes.
 * @throws AppError `not_found`; LimitReached
 */
export async function duplicatePage(
  trx: Trx,
  accountId: number,
  { id, quota }: { id: number; quota: number },
  by: UserActor,
): Promise<number> {
  const { userId } = by;
  const now = Date.now();
  const { version } = await raiseContentVersion(trx, accountId, now);
  const page = await trx
    .selectFrom('pages')
    .select(['name', parentKey.as('parent'), 'position', bytesIn.pages.as('bytes')])
    .where('account_id', '=', accountId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!page) throw notFound('The page');
  await checkPlanLimit(trx, accountId, 'pages');
  await reserveBytes(trx, accountId, { bytes: page.bytes, quota });
  const { parent } = page;

  const position = page.position + 1;
  const last = await countChildren(trx, accountId, parent);
  await shiftSiblings(trx, accountId, parent, { from: position, to: last, by: 1 });
  const name = await numberedName(trx, accountId, page.name);
  const urlname = await uniqueUrlname(trx, accountId, parent, toUrlname(name));
  const { rows } = await sql<{ id: number }>`
    insert into pages (account_id, parent_id, name, urlname, position, is_hidden, body_format, custom_date,
      created_at, created_by, updated_at, updated_by, version, status, description, body)
    select account_id, parent_id, ${name}, ${urlname}, cast(${position} as bigint), is_hidden, body_format, custom_date,
      cast(${now} as bigint), cast(${userId} as bigint), cast(${now} as bigint), cast(${userId} as bigint),
      cast(${version} as bigint), 'unpublished', description, body
    from pages where account_id = ${accountId} and id = ${id}
    returning id`.execute(trx);
  const copy = rows[0]!.id;
  await sql`
    insert into page_images (account_id, page_id, draft_by, hash)
    select account_id, cast(${copy} as bigint), 0, hash from page_images
    where account_id = ${accountId} and page_id = ${id} and draft_by = 0`.execute(trx);
  const details = { name, from: formatPageId(id) };
  await recordAuditEvent(trx, accountId, by, { action: 'page.duplicated', subject: formatPageId(copy), details });
  return copy;
}
