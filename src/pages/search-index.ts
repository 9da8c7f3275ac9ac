import { setImmediate } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type Db, dialectOf, type Trx } from '../db/database.ts';
import { limitInIndexOrder } from '../db/index-order.ts';
import { limitToBytes } from '../db/limit-to-bytes.ts';
import { prepared } from '../db/prepared.ts';
import { fold } from '../fold.ts';
import { lockAccount } from '../tenancy/lock-account.ts';
import { mergeSearchWords } from './merge-search-words.ts';
import { pagesById } from './pages-by-id.ts';
import { indexWords, isWholeWord } from './search-words.ts';
import { MAX_BODY_CHARACTERS, visibleText } from './visible-text.ts';

/*
 * The index for searching pages. It is updated later than the pages, since creating a page must not wait for it. New
 * pages are those with ids above the last indexed one: an account's ids are assigned under its lock, so in the order of
 * commits. Pages that change or are deleted are queued in the same transaction. A search first brings the index up to
 * date. An account that was never searched has no index.
 */

/** How many pages one transaction indexes. */
const BATCH_SIZE = 50;

/** How many bytes of bodies one transaction indexes at most, unless a single page has more. */
const MAX_BATCH_BYTES = 250_000;

/** SQL for the part of a body that is indexed. */
const searchedBody = sql<string>`substr(pages.body, 1, ${sql.lit(MAX_BODY_CHARACTERS)})`;

/**
 * Brings the account's index up to date, but stops after about `most` pages. Returns true if the index is complete. Several
 * processes may call this at once.
 */
export async function refreshSearch(db: Db, accountId: number, most: number): Promise<boolean> {
  // Checking first takes one statement; looking for the next pages takes three.
  if (await isSearchComplete(db, accountId)) return true;
  for (let done = 0; ; ) {
    const count = await indexPart(db, accountId);
    if (count === 0) return true;
    done += count;
    if (done >= most) return isSearchComplete(db, accountId);
    await setImmediate();
  }
}

/** Brings all existing indexes up to date, and optimizes them for searching. */
export async function refreshAllSearch(db: Db): Promise<void> {
  const accounts = await db.selectFrom('search_accounts').select('account_id').execute();
  for (const { account_id: accountId } of accounts) await refreshSearch(db, accountId, Number.POSITIVE_INFINITY);
  if (dialectOf(db) === 'sqlite') await mergeSearchWords(db);
}

/** True if the index has every page of the account in its current state. */
export async function isSearchComplete(db: Db | Trx, accountId: number): Promise<boolean> {
  return (await selectComplete(db, { accountId })).length > 0;
}

const selectComplete = prepared<{ accountId: number }, { account_id: number }>((db, parameter) => {
  const account = sql<number>`cast(${parameter('accountId')} as bigint)`;
  const after = pagesAfter(db, account, { id: sql.ref('search_accounts.last_id'), limit: 1 });
  return {
    compile: () =>
      sql<{ account_id: number }>`
        select account_id from search_accounts
        where account_id = ${account}
          and not exists (select 1 from search_queue where search_queue.account_id = ${account})
          and not exists (select 1 from ${after})`.compile(db),
  };
});

/** Queues pages for the index, in the transaction that changes or deletes them. `ids` is a query of their ids. */
export async function queueForSearch(
  trx: Trx,
  accountId: number,
  { version, ids }: { version: number; ids: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    insert into search_queue (account_id, page_id, version)
    select search_accounts.account_id, changed.id, cast(${version} as bigint)
    from search_accounts cross join (${ids}) as changed where search_accounts.account_id = ${accountId}
    on conflict (account_id, page_id) do update set version = excluded.version`.execute(trx);
}

/** How many pages one transaction queues. */
const QUEUE_BATCH_SIZE = 500;

/**
 * Rebuilds the account's index: queues every page and every entry of the index, so that nothing old remains. Until it is done,
 * searches find names only. Returns the number of the account's pages.
 */
export async function rebuildSearch(db: Db, accountId: number): Promise<number> {
  if (!((await findState(db, accountId)) ?? (await createIndex(db, accountId)))) return 0;
  await queueAll(db, accountId, sql`select page_id as id from search_pages where account_id = ${accountId}`);
  const count = await queueAll(db, accountId, sql`select id from pages where account_id = ${accountId}`);
  await refreshSearch(db, accountId, Number.POSITIVE_INFINITY);
  return count;
}

/** Queues all pages of the query, in parts by their ids. Pages that are already in the queue keep their entry. */
async function queueAll(db: Db, accountId: number, ids: RawBuilder<unknown>): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const { rows } = await sql<{ id: number }>`
      select id from (${ids}) as theirs where id > ${after} order by id limit ${QUEUE_BATCH_SIZE}`.execute(db);
    if (rows.length === 0) return count;
    const queued = rows.map(({ id }) => ({ account_id: accountId, page_id: id, version: 0 }));
    await db.transaction().execute((trx) =>
      trx
        .insertInto('search_queue')
        .values(queued)
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    count += rows.length;
    after = rows.at(-1)!.id;
    await setImmediate();
  }
}

/** Deletes pages' words, which SQLite keeps in a separate table. The caller deletes the pages from the index. */
export async function purgeSearchWords(trx: Trx, ids: readonly number[]): Promise<void> {
  if (dialectOf(trx) === 'postgres') return;
  await sql`delete from search_words where rowid in (${sql.join(ids)})`.execute(trx);
}

interface Entry {
  id: number;
  /** The page's version when it was read. */
  version: number;
  name: string;
  words: string[];
}

/** Indexes the next pages. Returns how many it processed; 0 if there were none. */
async function indexPart(db: Db, accountId: number): Promise<number> {
  const state = (await findState(db, accountId)) ?? (await createIndex(db, accountId));
  if (!state) return 0;
  const { last_id: last } = state;
  const bytes = sql<number>`coalesce(octet_length(pages.body), 0)`.as('bytes');
  const waiting = await db
    .selectFrom('search_queue')
    .leftJoin('pages', (join) =>
      join.onRef('pages.account_id', '=', 'search_queue.account_id').onRef('pages.id', '=', 'search_queue.page_id'),
    )
    .select(['search_queue.page_id as id', 'search_queue.version', bytes])
    .where('search_queue.account_id', '=', accountId)
    .limit(BATCH_SIZE)
    .execute();
  const queued = limitToBytes(waiting, MAX_BATCH_BYTES);
  const next = queued.length > 0 ? queued : limitToBytes(await findPagesAfter(db, accountId, last), MAX_BATCH_BYTES);
  if (next.length === 0) return 0;
  const ids = next.map(({ id }) => id);
  const { rows } = await sql<{ id: number; version: number; name: string; urlname: string; body: string }>`
    select pages.id, pages.version, pages.name, pages.urlname, ${searchedBody} as body
    from ${pagesById(db, accountId, ids)} order by pages.id`.execute(db);
  // The words are computed outside the transaction, since other transactions would wait for that.
  const entries = rows.map(({ id, version, name, urlname, body }): Entry => {
    const words = indexWords({ name, urlname, text: visibleText(body) });
    return { id, version, name: fold(name), words };
  });
  if (queued.length > 0) await db.transaction().execute((trx) => replaceEntries(trx, accountId, queued, entries));
  else if (entries.length > 0) await db.transaction().execute((trx) => appendEntries(trx, accountId, last, entries));
  return next.length;
}

async function findPagesAfter(db: Db, accountId: number, id: number) {
  const next = pagesAfter(db, accountId, { id, limit: BATCH_SIZE });
  const { rows } = await sql<{ id: number; bytes: number }>`select id, bytes from ${next}`.execute(db);
  return rows;
}

/**
 * Selects the next pages of the account by id, in the order of the index on both columns. SQLite uses the id, which is its
 * row id, in that index only if the condition compares the id alone. With such a condition, PostgreSQL may read the pages of
 * all accounts.
 */
function pagesAfter(
  db: Db | Trx,
  accountId: number | RawBuilder<number>,
  { id, limit }: { id: number | RawBuilder<unknown>; limit: number },
): RawBuilder<{ id: number; bytes: number }> {
  const isAfter =
    dialectOf(db) === 'sqlite'
      ? sql`account_id = ${accountId} and id > ${id}`
      : sql`(account_id, id) > (${accountId}, ${id})`;
  return sql`(
    select id, bytes from (
      select account_id, id, coalesce(octet_length(body), 0) as bytes from pages
      where ${isAfter} order by account_id, id limit ${limitInIndexOrder(limit)}
    ) as following
    where account_id = ${accountId}
  ) as next_pages`;
}

function findState(db: Db | Trx, accountId: number) {
  return db.selectFrom('search_accounts').select('last_id').where('account_id', '=', accountId).executeTakeFirst();
}

/**
 * Creates the account's index, unless the account was deleted. Because of the lock, every change of pages either commits
 * before the index exists, or sees the index and queues its pages.
 */
async function createIndex(db: Db, accountId: number): Promise<{ last_id: number } | undefined> {
  return db.transaction().execute(async (trx) => {
    await lockAccount(trx, accountId);
    await sql`
      insert into search_accounts (account_id, last_id)
      select id, 0 from accounts where id = ${accountId} and deleted_at is null
      on conflict do nothing`.execute(trx);
    return findState(trx, accountId);
  });
}

async function appendEntries(trx: Trx, accountId: number, last: number, entries: readonly Entry[]): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('search_accounts')
    .set({ last_id: entries.at(-1)!.id })
    .where('account_id', '=', accountId)
    .where('last_id', '=', last)
    .executeTakeFirstOrThrow();
  // Another process has indexed these pages meanwhile.
  if (numUpdatedRows === 0n) return;
  // Pages that changed before they were first indexed went through the queue, and are already in the index.
  const indexed = await trx
    .selectFrom('search_pages')
    .select('page_id as id')
    .where('account_id', '=', accountId)
    .where('page_id', '>', last)
    .execute();
  const known = new Set(indexed.map(({ id }) => id));
  await insertEntries(
    trx,
    accountId,
    entries.filter(({ id }) => !known.has(id)),
  );
}

async function replaceEntries(
  trx: Trx,
  accountId: number,
  queued: ReadonlyArray<{ id: number; version: number }>,
  entries: readonly Entry[],
): Promise<void> {
  const current = new Set<number>();
  for (const { id, version } of queued.toSorted((a, b) => a.id - b.id)) {
    const { numDeletedRows } = await trx
      .deleteFrom('search_queue')
      .where('account_id', '=', accountId)
      .where('page_id', '=', id)
      // A page that has changed again stays queued, since the text that was read may be old.
      .where('version', '=', version)
      .executeTakeFirstOrThrow();
    if (numDeletedRows > 0n) current.add(id);
  }
  if (current.size === 0) return;
  const ids = [...current];
  await purgeSearchWords(trx, ids);
  await trx.deleteFrom('search_pages').where('account_id', '=', accountId).where('page_id', 'in', ids).execute();
  await insertEntries(
    trx,
    accountId,
    entries.filter(({ id }) => current.has(id)),
  );
}

async function insertEntries(trx: Trx, accountId: number, entries: readonly Entry[]): Promise<void> {
  const sqlite = dialectOf(trx) === 'sqlite';
  if (sqlite) {
    const vocabulary = JSON.stringify([...new Set(entries.flatMap(({ words }) => words.filter(isWholeWord)))].sort());
    await sql`
      insert into search_vocabulary (account_id, word) select ${accountId}, value from json_each(${vocabulary}) where true
      on conflict do nothing`.execute(trx);
  }
  for (const { id, version, name, words } of entries) {
    const numbered = words.map((word) => accountId + word);
    if (sqlite) {
      await sql`insert into search_words (rowid, words) values (${id}, ${numbered.join(' ')})`.execute(trx);
      await sql`insert into search_pages (account_id, page_id, version, name)
        values (${accountId}, ${id}, ${version}, ${name})`.execute(trx);
    } else {
      await sql`insert into search_pages (account_id, page_id, version, name, words)
        values (${accountId}, ${id}, ${version}, ${name}, array_to_tsvector(${numbered}::text[]))`.execute(trx);
    }
  }
}
