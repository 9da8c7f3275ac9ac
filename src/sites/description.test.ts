import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import type { Trx } from '../db/database.ts';
import { snapshot } from '../db/snapshot.ts';
import { refreshSearch } from '../pages/search-index.ts';
import { cutDescription } from './description.ts';
import { readFeedPages } from './feed-pages.ts';
import { searchSite } from './search-site.ts';
import { listSubPages } from './sub-pages.ts';

const LONG_PAGES = 5;

type Read = (trx: Trx, accountId: number, ids: readonly number[]) => Promise<readonly { description: string | null }[]>;

const lists: Record<string, Read> = {
  feeds: readFeedPages,
  'lists of sub-pages': async (trx, accountId) => (await listSubPages(trx, accountId, 0, 1))!.subPages,
  'searches of sites': async (trx, accountId) => (await searchSite(trx, accountId, 'page')).hits,
};

/** Runs the work, and counts the turns of the event loop that other work gets meanwhile. */
async function turnsDuring<T>(work: () => Promise<T>): Promise<{ result: T; turns: number }> {
  let turns = 0;
  let next: NodeJS.Immediate;
  const count = () => {
    turns += 1;
    next = setImmediate(count);
  };
  next = setImmediate(count);
  const result = await work().finally(() => clearImmediate(next));
  return { result, turns };
}

onEachDatabase('very long descriptions', (open) => {
  for (const [name, read] of Object.entries(lists)) {
    test(`very long descriptions are read one at a time by ${name}, and other work gets turns in between`, async (t) => {
      const { db } = await open(t);
      const { accountId, userId } = await makeAccount(db);
      const ids: number[] = [];
      for (let count = 1; count <= LONG_PAGES; count++) {
        const description = `The beginning of ${count}. ${'Long words. '.repeat(10_000)}`;
        ids.push(await makePage(db, accountId, { name: `Page ${count}`, description, userId }));
      }
      ids.push(await makePage(db, accountId, { name: 'Page 0', description: 'Short.', userId }));
      await refreshSearch(db, accountId, 100);
      const { result, turns } = await snapshot(db, (trx) => turnsDuring(() => read(trx, accountId, ids)));
      const shown = result.map(({ description }) => cutDescription(description).slice(0, 20)).toSorted();
      assert.deepEqual(
        shown,
        [...ids.slice(1).map((_, index) => `The beginning of ${index + 1}. `), 'Short.'].toSorted(),
      );
      assert.ok(turns >= LONG_PAGES, `${turns}`);
    });
  }
});
