import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import type { Db, Trx } from '../db/database.ts';
import { findByText } from './find-by-words.ts';

test('for two common words that no page has together, a search reads few pages, and then only the index of words', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const { accountId } = await makeAccount(db);
  // PostgreSQL keeps statistics for beginnings of words only if the pages have a hundred words.
  const others = sql`(select array_agg('other' || word) from generate_series(1, 110) as word)`;
  const own = sql`${sql.lit(accountId)} || case n % 2 when 0 then 'talpha' else 'tbeta' end`;
  await sql`
    insert into search_pages (account_id, page_id, version, name, words)
    select ${sql.lit(accountId)}, n, 1, '', array_to_tsvector(array_append(${others}, ${own}))
    from generate_series(1, 2000) as n`.execute(db);
  // PostgreSQL now expects a quarter of the pages to have both words, and to find some at once wherever it begins.
  await sql`analyze search_pages`.execute(db);
  await db.transaction().execute(async (trx) => {
    assert.deepEqual(await findByText(trx, accountId, ['alpha', 'beta'], { limit: 10 }), []);
    assert.equal(await pagesRead(trx), 200);
    // Half of the pages have the word, so reading a few is enough.
    assert.equal((await findByText(trx, accountId, ['alpha'], { limit: 10 })).length, 10);
    assert.ok((await pagesRead(trx)) <= 2 * 200);
  });
});

test('a word that every twentieth page has is searched page by page, and a rarer word in the index of words', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const { accountId } = await makeAccount(db);
  const word = sql`case when n % 20 = 0 then 'tcommon' when n % 150 = 1 then 'trare' else 'tother' end`;
  await sql`
    insert into search_pages (account_id, page_id, version, name, words)
    select ${sql.lit(accountId)}, n, 1, '', array_to_tsvector(array[${sql.lit(accountId)} || ${word}])
    from generate_series(1, 2000) as n`.execute(db);
  await db.transaction().execute(async (trx) => {
    const found = await findByText(trx, accountId, ['common'], { limit: 40, except: [20, 60] });
    const expected = Array.from({ length: 42 }, (_, index) => (index + 1) * 20).filter((id) => ![20, 60].includes(id));
    assert.deepEqual(found, expected);
    assert.equal(await indexScans(trx), 0);
    assert.equal((await findByText(trx, accountId, ['rare'], { limit: 40 })).length, 14);
    assert.equal(await indexScans(trx), 1);
  });
});

test('many words are searched in the few pages with the rarest ones, or in the index if many pages have these', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const { accountId } = await makeAccount(db);
  const short = ['able', 'bake', 'cake'];
  const long = ['lengthy', 'longest', 'longish', 'longword'];
  const tagged = (words: readonly string[]) => sql`array[${sql.join(words.map((word) => `${accountId}t${word}`))}]`;
  // These pages come after the first 200, which are searched page by page.
  await sql`
    insert into search_pages (account_id, page_id, version, name, words)
    select ${sql.lit(accountId)}, n, 1, '', array_to_tsvector(case
      when n <= 200 then array['other'] when n % 100 = 0 then ${tagged([...short, ...long])}
      when n % 2 = 0 then ${tagged(short)} else ${tagged(long.slice(1))} end)
    from generate_series(1, 1000) as n`.execute(db);
  const find = (words: readonly string[], limit: number) => counted(db, accountId, words, limit);
  const all = [300, 400, 500, 600, 700, 800, 900, 1000];
  // Read are the first pages, the pages for counting the words, and those with all of the longest words: all are as rare
  // there.
  assert.deepEqual(await find([...short, ...long], 50), { found: all, scans: 1, read: 200 + 50 + all.length });
  assert.deepEqual((await find([...long, ...short], 3)).found, all.slice(0, 3));
  await sql`
    update search_pages set words = words || array_to_tsvector(${tagged(long)}) where page_id > 200`.execute(db);
  const { found, scans } = await find([...short, ...long], 50);
  assert.deepEqual([found.length, found.every((id) => id % 2 === 0), scans], [50, true, 2]);
});

test('of many words, the rarest are searched first, however long the others are', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const { accountId } = await makeAccount(db);
  const common = ['everywhere', 'everybody', 'everything', 'everyday', 'evermore'];
  const words = sql.join([...common, 'rare'].map((word) => `${accountId}t${word}`));
  await sql`
    insert into search_pages (account_id, page_id, version, name, words)
    select ${sql.lit(accountId)}, n, 1, '', array_to_tsvector(
      case when n > 200 and n % 100 = 0 then array[${words}] else (array[${words}])[:5] end)
    from generate_series(1, 1000) as n`.execute(db);
  const found = [300, 400, 500, 600, 700, 800, 900, 1000];
  const read = 200 + 50 + found.length;
  assert.deepEqual(await counted(db, accountId, [...common, 'rare'], 50), { found, scans: 1, read });
});

/** Returns the found pages, how often PostgreSQL used the index of words, and how many pages it read. */
function counted(db: Db, accountId: number, words: readonly string[], limit: number) {
  return db.transaction().execute(async (trx) => {
    // The counts of earlier transactions may not have been added to the statistics yet.
    const [scans, read] = [await indexScans(trx), await pagesRead(trx)];
    const found = await findByText(trx, accountId, words, { limit });
    return { found, scans: (await indexScans(trx)) - scans, read: (await pagesRead(trx)) - read };
  });
}

async function indexScans(trx: Trx): Promise<number> {
  const { rows } = await sql<{ scans: number }>`
    select pg_stat_get_xact_numscans(cast('search_pages_words' as regclass)) as scans`.execute(trx);
  return rows[0]!.scans;
}

async function pagesRead(trx: Trx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select idx_tup_fetch + seq_tup_read as read from pg_stat_xact_user_tables where relname = 'search_pages'`.execute(
    trx,
  );
  return rows[0]!.read;
}
