import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, quota } from '../../test/factories.ts';
import { importPages } from '../pages/import-pages.ts';
import { parsePageTree } from '../pages/parse-page-tree.ts';
import { importSite } from './import-site.ts';
import type { PageToImport } from './site-to-import.ts';

onEachDatabase('the import of a site', (open) => {
  test('the names of an import take few look-ups, however many pages have numbered names already', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const by = actor(userId);
    const names = Array.from({ length: 400 }, (_, index) => (index === 0 ? 'Same' : `Same ${index + 1}`));
    const tree = { pages: parsePageTree({ pages: names.map((name) => ({ name })) }), parentId: null, quota };
    await db.transaction().execute((trx) => importPages(trx, accountId, tree, { userId, by }));

    const page: PageToImport = {
      parent: undefined,
      name: 'Same',
      urlname: 'same',
      body: '',
      description: null,
      status: 'published',
      date: undefined,
      formerPaths: [],
    };
    const site = { pages: [page, page], postCount: 0, images: [], notes: [] };
    await db.transaction().execute(async (trx) => {
      const connection = await trx.getExecutor().provideConnection(async (own) => own);
      const { mock } = t.mock.method(connection, 'executeQuery');
      const input = { site, imageUrls: [], quota, isDryRun: true };
      const { names } = await importSite(trx, accountId, input, { userId, by });
      assert.deepEqual(names, ['Same 401', 'Same 402']);
      assert.ok(mock.callCount() < 60, `${mock.callCount()} statements`);
    });
  });
});
