import { sql } from 'kysely';
import { keyIsActive } from '../api-keys/assert-key-active.ts';
import { recordCreations } from '../audit/record-creations.ts';
import type { Trx } from '../db/database.ts';
import { prepared, preparedInsertion } from '../db/prepared.ts';
import type { BodyFormat } from '../db/schema.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { nextVersion } from '../tenancy/next-version.ts';
import { selectPlanLimit } from '../tenancy/plan-limits.ts';
import { depthOf } from './depth.ts';
import { formatPageId, MAX_DEPTH } from './page.ts';
import { bytesOf } from './page-bytes.ts';
import { addImages } from './page-images.ts';
import { CREATED, type PageToInsert } from './page-to-insert.ts';
import { lastPosition } from './positions.ts';

/** Inserts the pages one by one. See `insertPages`. */
export async function insertOnSqlite(trx: Trx, pages: readonly PageToInsert[]): Promise<Map<PageToInsert, number>> {
  // The time is read inside the transaction, which may have waited for another process that changed the same account.
  const now = Date.now();
  const accounts = new Map<number, Account>();
  const ids = new Map<PageToInsert, number>();
  for (const page of pages) {
    const { accountId, parentId, keyId = null, quota } = page;
    let account = accounts.get(accountId);
    if (!account?.keyIds.has(keyId)) {
      const [found] = await selectAccount(trx, { accountId, keyId, now });
      if (!found) continue;
      account ??= { ...found, keyIds: new Set(), addedBytes: 0, hasNewPages: false };
      account.keyIds.add(keyId);
      accounts.set(accountId, account);
    }
    if (account.maxPages !== null) {
      account.pageCount ??= await countPages(trx, accountId);
      if (account.pageCount >= account.maxPages) continue;
    }
    const bytes = bytesOf(page);
    if (bytes > 0 && account.pageBytes + account.addedBytes + bytes > quota) continue;
    if (parentId !== null) {
      const depth = await depthOf(trx, accountId, parentId);
      if (depth === 0 || depth >= MAX_DEPTH) continue;
    }
    const parent = parentId ?? 0;
    const bodyFormat = page.bodyFormat ?? account.editor;
    const id = await insert(trx, { ...page, parent, bodyFormat, now, version: account.nextVersion });
    if (id === undefined) continue;
    ids.set(page, id);
    if (page.images.length > 0) await addImages(trx, accountId, { pageId: id, draftBy: 0 }, page.images);
    account.addedBytes += bytes;
    if (account.pageCount !== undefined) account.pageCount += 1;
    account.hasNewPages = true;
  }
  await recordPages(trx, ids, now);
  // The transaction is the lock on SQLite, so versions can be raised last.
  for (const [accountId, { addedBytes, hasNewPages }] of accounts) {
    if (hasNewPages) await raiseContentVersion(trx, accountId, now, addedBytes);
  }
  return ids;
}

interface Account {
  nextVersion: number;
  editor: BodyFormat;
  pageBytes: number;
  /** The ids of its keys that are active, and null for pages that are created without a key. */
  keyIds: Set<number | null>;
  /** The bytes of its new pages. */
  addedBytes: number;
  hasNewPages: boolean;
  /** The limit of its plan; null for no limit. */
  maxPages: number | null;
  /** How many pages the account has; undefined until it is needed. */
  pageCount?: number;
}

/** Selects the account, or nothing if the page has a key that is not active. */
const selectAccount = prepared<
  { accountId: number; keyId: number | null; now: number },
  Pick<Account, 'nextVersion' | 'editor' | 'pageBytes' | 'maxPages'>
>((db, parameter) => {
  const [accountId, keyId, now] = [parameter('accountId'), parameter('keyId'), parameter('now')];
  return (
    db
      .selectFrom('accounts')
      .select([nextVersion('content_version', now).as('nextVersion'), 'editor', 'page_bytes as pageBytes'])
      // The limit is part of this query: most plans have none, so that creations need no second query.
      .select(selectPlanLimit('pages', 'accounts').as('maxPages'))
      .where('id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where(keyIsActive({ accountId, keyId, now }))
  );
});

async function countPages(trx: Trx, accountId: number): Promise<number> {
  const count = trx.selectFrom('pages').select((e) => e.fn.countAll<number>().as('count'));
  return (await count.where('account_id', '=', accountId).executeTakeFirstOrThrow()).count;
}

type PageRow = PageToInsert & { parent: number; bodyFormat: BodyFormat; now: number; version: number };

/** Inserts nothing if the page's name, or its urlname among its siblings, is taken. */
const insert = preparedInsertion<PageRow, 'pages'>((db, parameter) =>
  db
    .insertInto('pages')
    .values({
      account_id: parameter('accountId'),
      parent_id: parameter('parentId'),
      name: parameter('name'),
      urlname: parameter('urlname'),
      position: sql<number>`coalesce(${lastPosition(db, parameter('accountId'), parameter('parent'))}, 0) + 1`,
      is_hidden: parameter('isHidden'),
      body: parameter('body'),
      description: parameter('description'),
      body_format: parameter('bodyFormat'),
      custom_date: parameter('now'),
      created_at: parameter('now'),
      created_by: parameter('userId'),
      updated_at: parameter('now'),
      updated_by: parameter('userId'),
      version: parameter('version'),
      status: parameter('status'),
    })
    .onConflict((conflict) => conflict.doNothing()),
);

/** Records a creation event for each page, with one statement a client: nearly always all pages have the same client. */
async function recordPages(trx: Trx, ids: ReadonlyMap<PageToInsert, number>, at: number): Promise<void> {
  const byClient = Map.groupBy(ids, ([{ userId, keyId, ip }]) => `${userId} ${keyId} ${ip}`);
  for (const created of byClient.values()) {
    const [{ accountId, userId, keyId, ip }] = created[0]!;
    if (ip === null) continue;
    const subjects = created.map(([{ name, traceparent }, id]) => [formatPageId(id), name, traceparent] as const);
    await recordCreations(trx, accountId, { userId, keyId, ip, action: CREATED, subjects, at });
  }
}
