import { sql } from 'kysely';
import type { Trx } from '../db/database.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { buildDefaultPages, type PageOwner } from './default-pages.ts';
import { bytesOf } from './page-bytes.ts';
import { parentKey } from './positions.ts';
import { queueForSearch } from './search-index.ts';
import { uniqueUrlname } from './siblings.ts';
import { toUrlname } from './urlname.ts';

/**
 * Rewrites the default pages after the account's name or language has changed. Pages that a user has published, changed or
 * begun to change stay, and so do pages whose new name another page has.
 */
export async function rewriteDefaultPages(
  trx: Trx,
  accountId: number,
  { before, after }: { before: PageOwner; after: PageOwner },
): Promise<void> {
  if (before.name === after.name && before.language === after.language) return;
  const former = buildDefaultPages(before);
  const wanted = buildDefaultPages(after);
  const found = await findUntouched(trx, accountId, former);
  const taken = await namesAmong(trx, accountId, wanted);
  for (const [index, page] of wanted.entries()) {
    const { name, description, body } = former[index]!;
    const row = found.find((one) => one.name === name && one.description === description && one.body === body);
    const isSame = name === page.name;
    if (!row || (!isSame && taken.has(page.name))) continue;
    // The urlname stays if there are pages below: they may be public, at addresses that begin with it.
    const keepsUrlname = isSame || row.hasChildren === 1 || row.urlname !== toUrlname(name);
    const urlname = keepsUrlname ? row.urlname : await uniqueUrlname(trx, accountId, row.parent, toUrlname(page.name));
    const now = Date.now();
    const { version } = await raiseContentVersion(trx, accountId, now, bytesOf(page) - bytesOf({ body, description }));
    await trx
      .updateTable('pages')
      .set({ ...page, urlname, version, has_changed: 1, updated_at: now })
      .where('account_id', '=', accountId)
      .where('id', '=', row.id)
      .execute();
    await queueForSearch(trx, accountId, { version, ids: sql`select cast(${row.id} as bigint) as id` });
  }
}

/** Returns the untouched default pages with these names, found by the unique index of names. */
function findUntouched(trx: Trx, accountId: number, pages: readonly { name: string }[]) {
  return trx
    .selectFrom('pages')
    .select(['id', parentKey.as('parent'), 'name', 'urlname', 'description', 'body'])
    .select(
      sql<0 | 1>`case when exists (
        select 1 from pages as child where child.account_id = ${accountId} and coalesce(child.parent_id, 0) = pages.id
      ) then 1 else 0 end`.as('hasChildren'),
    )
    .where('account_id', '=', accountId)
    .where(
      'name',
      'in',
      pages.map(({ name }) => name),
    )
    .where('status', '=', 'default')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('drafts')
            .select('drafts.page_id')
            .where('drafts.account_id', '=', accountId)
            .whereRef('drafts.page_id', '=', 'pages.id'),
        ),
      ),
    )
    .execute();
}

async function namesAmong(trx: Trx, accountId: number, pages: readonly { name: string }[]): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('pages')
    .select('name')
    .where('account_id', '=', accountId)
    .where(
      'name',
      'in',
      pages.map(({ name }) => name),
    )
    .execute();
  return new Set(rows.map(({ name }) => name));
}
