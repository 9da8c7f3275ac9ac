import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { createDefaultPages } from './default-pages.ts';

onEachDatabase('the default pages', (open) => {
  test('are Home, About, Services and Contact, in the account’s name, and lead to each other', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const accountName = 'Smith & <Sons>';
    await db.transaction().execute((trx) => createDefaultPages(trx, accountId, { accountName, userId }));
    const pages = await db
      .selectFrom('pages')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('position')
      .execute();
    assert.deepEqual(
      pages.map(({ name }) => name),
      ['Home', 'About', 'Services', 'Contact'],
    );
    const paths = new Set(pages.map(({ urlname }) => `/${urlname}`));
    for (const { name, description, body, is_hidden } of pages) {
      assert.ok(description?.includes(accountName), name);
      assert.ok(!body.includes('<Sons>') && (name === 'Services' || body.includes('Smith &amp; &lt;Sons&gt;')), name);
      assert.equal(is_hidden, 0);
      for (const [, path] of body.matchAll(/href="([^"]+)"/g)) assert.ok(paths.has(path!));
    }
  });
});
