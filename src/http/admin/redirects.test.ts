import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makePage, quota } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { recordFormerPaths } from '../../pages/redirects.ts';
import { updatePage } from '../../pages/update-page.ts';

onEachDatabase('redirects in the admin app', (open) => {
  test('former addresses and added paths redirect to a page', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    await makePage(db, accountId, { userId, name: 'Home' });
    const id = await makePage(db, accountId, { userId, name: 'About' });
    const { subdomain } = await db.selectFrom('accounts').select('subdomain').executeTakeFirstOrThrow();
    const editor = await signedInAs(service, db, accountId, 'editor');
    const listed = async () =>
      (await editor.get(`pages/${id}/redirects`)).json.redirects.map(({ path }: { path: string }) => path);
    const visit = async (path: string) => {
      const { status, headers } = await service.request('GET', path, { headers: { Host: `${subdomain}.localhost` } });
      return [status, headers.location];
    };
    const add = (path: string) => editor.post(`pages/${id}/redirects`, { path });
    assert.deepEqual(await listed(), []);

    const added = await add('https://old.example.com/About-Us.html');
    assert.deepEqual([added.status, added.json.path, added.json.isCovered], [201, '/about-us.html', false]);
    assert.deepEqual(await visit('/about-us.html'), [301, '/about']);
    assert.equal((await add('www.old.example.com/about-us.html')).json.path, '/about-us.html');
    assert.equal((await add('who-we-are')).json.path, '/who-we-are');
    const withQuery = await add('https://old.example.com/index.php?page=3');
    assert.deepEqual([withQuery.json.path, withQuery.json.formerPage], ['/index.php?page=3', null]);
    assert.deepEqual(await visit('/index.php?page=3'), [301, '/about']);
    assert.equal((await editor.delete(`redirects/${withQuery.json.id}`)).status, 204);
    const rename = { id, basedOn: undefined, fields: { urlname: 'team' }, quota };
    await db.transaction().execute((trx) => updatePage(trx, accountId, rename, actor(userId)));
    assert.deepEqual(await listed(), ['/about', '/who-we-are', '/about-us.html']);
    assert.deepEqual(await visit('/about-us.html'), [301, '/team']);

    assert.equal((await editor.delete(`redirects/${added.json.id}`)).status, 204);
    assert.equal((await visit('/about-us.html'))[0], 404);
    assert.equal((await editor.delete(`redirects/${added.json.id}`)).status, 404);
    const back = { ...rename, fields: { urlname: 'about' } };
    await db.transaction().execute((trx) => updatePage(trx, accountId, back, actor(userId)));
    assert.deepEqual(await listed(), ['/team', '/who-we-are'], 'the present address is not listed');
  });

  test('a redirect from the path of another page is listed as covered', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'Home' });
    await makePage(db, accountId, { userId, name: 'Shop' });
    const editor = await signedInAs(service, db, accountId, 'editor');
    const added = await editor.post(`pages/${id}/redirects`, { path: '/shop' });
    assert.equal(added.json.isCovered, true);
    const { redirects } = (await editor.get(`pages/${id}/redirects`)).json;
    assert.deepEqual(redirects, [{ id: added.json.id, path: '/shop', isCovered: true }]);
  });

  test('a redirect that led to another page before names that page when it is added', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const [home, about] = [
      await makePage(db, accountId, { userId, name: 'Home' }),
      await makePage(db, accountId, { userId, name: 'About' }),
    ];
    const editor = await signedInAs(service, db, accountId, 'editor');
    await editor.post(`pages/${about}/redirects`, { path: '/Über_uns' });
    const added = await editor.post(`pages/${home}/redirects`, { path: '/%C3%BCber_uns' });
    assert.deepEqual([added.json.path, added.json.formerPage], ['/über_uns', 'About']);
  });

  test('the latest 100 of many redirects are listed, the latest first', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'Home' });
    const former = Array.from({ length: 1100 }, (_, index) => ({ path: `/former-${index}`, id }));
    await db.transaction().execute((trx) => recordFormerPaths(trx, accountId, former));
    const editor = await signedInAs(service, db, accountId, 'editor');
    await editor.post(`pages/${id}/redirects`, { path: '/latest' });
    const { redirects, hasMore } = (await editor.get(`pages/${id}/redirects`)).json;
    assert.deepEqual([redirects.length, redirects[0].path, hasMore], [100, '/latest', true]);
  });

  test("invalid paths, the page's own path and unknown pages are refused", async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'Home' });
    const editor = await signedInAs(service, db, accountId, 'editor');
    const about = await makePage(db, accountId, { userId, name: 'About' });
    const own = await editor.post(`pages/${about}/redirects`, { path: '/About/' });
    assert.deepEqual([own.status, own.json.error.fields], [422, [{ field: 'path', code: 'own_path' }]]);
    for (const path of [
      '',
      ' ',
      '/',
      'https://old.example.com',
      'www.example.com',
      '/a b',
      '/../etc',
      '/feed.xml',
      '/caf%E9',
      '//',
    ])
      assert.equal((await editor.post(`pages/${id}/redirects`, { path })).status, 422, path);
    assert.equal((await editor.post(`pages/${about + 1}/redirects`, { path: '/old' })).status, 404);
    assert.equal((await editor.get(`pages/${about + 1}/redirects`)).status, 404);
  });
});
