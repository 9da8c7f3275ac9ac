import { type RawBuilder, sql } from 'kysely';
import { dialectOf, type Trx } from '../db/database.ts';
import { lookupJoin } from '../db/lookup-join.ts';
import { prepared } from '../db/prepared.ts';
import { type PathNode, pathFromRoot, pathOf, subtreeCte } from './subtree.ts';

/** The version of URLs that an undo takes back: they redirect only if no other page has had the URL. */
export const UNDONE_VERSION = 0;

interface AddressToRecord {
  id: number;
  /** The version of the change: of several pages that had the same URL, the one with the highest version wins. */
  version: number;
}

/**
 * Records the present URLs of a page and its descendants before they change: from then on the old URLs redirect to the present
 * ones. Unpublished pages are left out, since nobody knows their URLs. A page that now has the URL always takes precedence.
 */
export async function recordAddresses(trx: Trx, accountId: number, { id, version }: AddressToRecord): Promise<void> {
  const pathNodes = await pathFromRoot(trx, accountId, id);
  const isPage = sql`pages.account_id = ${accountId} and pages.id = below.id`;
  await insertRedirects(
    trx,
    accountId,
    version,
    sql`with recursive ${subtreeCte(trx, accountId, id, pathOf(pathNodes.slice(0, -1)))}
      select below.path, below.id from below ${lookupJoin(trx, 'pages', isPage)} where pages.status = 'published'`,
  );
}

/** Records the URL of a page before the page is unpublished, after which it may be renamed or moved. */
export async function recordOwnAddress(trx: Trx, accountId: number, { id, version }: AddressToRecord): Promise<void> {
  const path = pathOf(await pathFromRoot(trx, accountId, id));
  await insertRedirects(
    trx,
    accountId,
    version,
    sql`select cast(${path} as text) as path, cast(${id} as bigint) as id`,
  );
}

/** How many URLs one statement records. */
const BATCH_SIZE = 200;

/** Records URLs that pages had on another system: they redirect unless a page has, or had, the URL here. */
export async function recordFormerPaths(
  trx: Trx,
  accountId: number,
  former: readonly { path: string; id: number }[],
): Promise<void> {
  for (let start = 0; start < former.length; start += BATCH_SIZE) {
    const rows = former
      .slice(start, start + BATCH_SIZE)
      .map(({ path, id }) => sql`select cast(${path} as text) as path, cast(${id} as bigint) as id`);
    await insertRedirects(trx, accountId, UNDONE_VERSION, sql.join(rows, sql` union all `));
  }
}

/** Makes a path redirect to a page, with precedence over pages recorded with a lower version. Returns the redirect's id. */
export async function putRedirect(
  trx: Trx,
  accountId: number,
  { path, id, version }: AddressToRecord & { path: string },
): Promise<number> {
  const address = sql`select cast(${path} as text) as path, cast(${id} as bigint) as id`;
  const { rows } = await sql<{ id: number }>`${insertion(trx, accountId, version, address)} returning id`.execute(trx);
  return rows[0]!.id;
}

async function insertRedirects(
  trx: Trx,
  accountId: number,
  version: number,
  addresses: RawBuilder<unknown>,
): Promise<void> {
  await insertion(trx, accountId, version, addresses).execute(trx);
}

function insertion(trx: Trx, accountId: number, version: number, addresses: RawBuilder<unknown>): RawBuilder<unknown> {
  const path = dialectOf(trx) === 'postgres' ? sql`md5(path)` : sql`path`;
  return sql`
    insert into redirects (account_id, path, page_id, version)
    select cast(${accountId} as bigint), path, id, cast(${version} as bigint) from (${addresses}) as addresses where true
    on conflict (account_id, ${path}, page_id) do update
      set version = case when excluded.version > redirects.version then excluded.version else redirects.version end`;
}

/**
 * Returns the path from the root to the published page that had the path last and still exists; undefined if there is none.
 * Meant for paths that no published page has now.
 */
export async function findMovedPage(trx: Trx, accountId: number, path: string): Promise<PathNode[] | undefined> {
  const id = await findRedirectTarget(trx, accountId, path);
  return id === undefined ? undefined : pathFromRoot(trx, accountId, id);
}

/** Returns the id of the published page to which the path redirects as long as no page has it as its own URL. */
export async function findRedirectTarget(trx: Trx, accountId: number, path: string): Promise<number | undefined> {
  const [found] = await selectMoved(trx, { accountId, path });
  return found?.id;
}

/**
 * Returns the id of a redirect from a path that no page can have, because it has a query, underscores or other characters.
 */
export async function findOldAddress(trx: Trx, accountId: number): Promise<number | undefined> {
  const [found] = await selectOldAddress(trx, { accountId });
  return found?.id;
}

/** SQL as in the index `redirects_old_addresses`. A range and an order leave PostgreSQL no other index and no sort. */
const OLD_ADDRESS = {
  account: sql<number>`(account_id + 0)`,
  condition: sql<boolean>`trim(path, 'abcdefghijklmnopqrstuvwxyz0123456789/.-') <> ''`,
};

const selectOldAddress = prepared<{ accountId: number }, { id: number }>((db, parameter) =>
  db
    .selectFrom('redirects')
    .select('id')
    .where(OLD_ADDRESS.account, '>=', parameter('accountId'))
    .where(OLD_ADDRESS.account, '<=', parameter('accountId'))
    .where(OLD_ADDRESS.condition)
    .orderBy(OLD_ADDRESS.account)
    .limit(1),
);

const selectMoved = prepared<{ accountId: number; path: string }, { id: number }>((db, parameter) =>
  db
    .selectFrom('redirects')
    .innerJoin('pages', (join) =>
      join.onRef('pages.account_id', '=', 'redirects.account_id').onRef('pages.id', '=', 'redirects.page_id'),
    )
    .select('pages.id')
    .where('redirects.account_id', '=', parameter('accountId'))
    .where('pages.status', '=', sql.lit('published'))
    .where(
      dialectOf(db) === 'postgres'
        ? sql<boolean>`md5(redirects.path) = md5(${parameter('path')})`
        : sql<boolean>`redirects.path = ${parameter('path')}`,
    )
    .orderBy('redirects.version', 'desc')
    // If several pages had the path only until a change was undone, the first one wins.
    .orderBy('redirects.id')
    .limit(1),
);
