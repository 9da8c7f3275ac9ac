import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { startWithSite } from '../../test/visit.ts';
import { type ChangeSiteInput, changeSite } from './change-site.ts';

onEachDatabase('the second button of the business theme', (open) => {
  test('the second button leads to the chosen page as long as visitors may see it', async (t) => {
    const site = await startWithSite(t, open, ['Home', 'Bread', { name: 'Contact', children: [{ name: 'Map' }] }]);
    const ids = await site.db.selectFrom('pages').select(['id', 'name']).execute();
    const idOf = (wanted: string) => ids.find(({ name }) => name === wanted)!.id;
    const change = (input: ChangeSiteInput) =>
      site.db.transaction().execute((trx) => changeSite(trx, site.accountId, input));
    const buttons = async (path = '/') =>
      [...(await site.visit(path)).text.matchAll(/<a class="button" href="([^"]*)">(.*?)</g)].map(
        ([, href, name]) => `${name} ${href}`,
      );
    await change({ theme: 'business' });
    assert.deepEqual(await buttons(), ['Bread /bread']);
    await change({ secondButton: idOf('Map') });
    assert.deepEqual(await buttons(), ['Bread /bread', 'Map /contact/map']);
    assert.deepEqual(await buttons('/bread'), []);
    await change({ secondButton: idOf('Bread') });
    assert.deepEqual(await buttons(), ['Bread /bread']);
    await change({ secondButton: idOf('Contact') });
    await site.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('pages')
        .set({ is_hidden: 1 })
        .where('account_id', '=', site.accountId)
        .where('id', '=', idOf('Contact'))
        .execute();
      await changeSite(trx, site.accountId, {});
    });
    assert.deepEqual(await buttons(), ['Bread /bread']);
    await change({ secondButton: null });
    assert.deepEqual(await buttons(), ['Bread /bread']);
  });

  test('the second button cannot lead to another account’s page', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    const other = await startWithSite(t, async () => site.database, ['Home']);
    const page = await site.db
      .selectFrom('pages')
      .select('id')
      .where('account_id', '=', other.accountId)
      .executeTakeFirstOrThrow();
    await assert.rejects(
      site.db.transaction().execute((trx) => changeSite(trx, site.accountId, { secondButton: page.id })),
      { fields: [{ field: 'secondButton', code: 'missing' }] },
    );
  });
});
