import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { openTestDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { mergeSearchWords } from './merge-search-words.ts';
import { refreshAllSearch, refreshSearch } from './search-index.ts';
import { searchPages } from './search-pages.ts';

test('maintenance merges the segments of the index of words, and searches find the same pages', async (t) => {
  const { db } = await openTestDatabase(t, 'sqlite');
  const { accountId, userId } = await makeAccount(db);
  for (let count = 1; count <= 3; count++) {
    await makePage(db, accountId, { userId, name: `Page ${count}`, body: `common word${count}` });
    await refreshSearch(db, accountId, 1000);
  }
  assert.equal(await countSegments(db), 3);
  await refreshAllSearch(db);
  assert.equal(await countSegments(db), 1);
  const find = async (text: string) => {
    const { pages } = await snapshot(db, (trx) => searchPages(trx, accountId, text));
    return pages.map(({ name }) => name);
  };
  assert.deepEqual(await find('common'), ['Page 1', 'Page 2', 'Page 3']);
  assert.deepEqual(await find('common word2'), ['Page 2']);
});

test('merging many segments takes several short transactions, and then has nothing left to do', async (t) => {
  const { db } = await openTestDatabase(t, 'sqlite');
  const { accountId, userId } = await makeAccount(db);
  const words = (start: number) => Array.from({ length: 20_000 }, (_, index) => `w${start}x${index}`).join(' ');
  for (let count = 1; count <= 3; count++) {
    for (let part = 0; part < 3; part++) {
      await makePage(db, accountId, { userId, name: `Page ${count} ${part}`, body: words(count * 10 + part) });
    }
    await refreshSearch(db, accountId, 1000);
  }
  let transactions = 0;
  const { transaction } = db;
  t.mock.method(db, 'transaction', () => {
    transactions += 1;
    return transaction.call(db);
  });
  await mergeSearchWords(db);
  assert.ok(transactions > 3, String(transactions));
  const merging = transactions;
  await mergeSearchWords(db);
  assert.equal(transactions - merging, 1);
});

async function countSegments(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(distinct segid) as count from search_words_idx`.execute(
    db,
  );
  return rows[0]!.count;
}
