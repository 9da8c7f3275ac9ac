import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import type { Trx } from '../db/database.ts';
import { findByText } from './find-by-words.ts';

test('two words that many pages have, and none has both, are looked for in few pages, and then in the index of words alone', async (t) => {
  const { db } = await openTestDatabase(t, 'postgres');
  const { accountId } = await makeAccount(db);
  // Its statistics tell of beginnings of words where there are a hundred words in them.
  const others = sql`(select array_agg('other' || word) from generate_series(1, 110) as word)`;
  const own = sql`${sql.lit(accountId)} || case n % 2 when 0 then 'talpha' else 'tbeta' end`;
  await sql`
    insert into search_pages (account_id, page_id, version, name, words)
    select ${sql.lit(accountId)}, n, 1, '', array_to_tsvector(array_append(${others}, ${own}))
    from generate_series(1, 2000) as n`.execute(db);
  // It now expects a quarter of the pages to have both, and to find some at once wherever it begins.
  await sql`analyze search_pages`.execute(db);
  await db.transaction().execute(async (trx) => {
    assert.deepEqual(await findByText(trx, accountId, ['alpha', 'beta'], { limit: 10 }), []);
    assert.equal(await pagesRead(trx), 200);
    // Half of the pages have it, so a few are enough.
    assert.equal((await findByText(trx, accountId, ['alpha'], { limit: 10 })).length, 10);
    assert.ok((await pagesRead(trx)) <= 2 * 200);
  });
});

test('a word that a page in twenty has is looked for page by page, and a rarer one in the index of words', async (t) => {
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
