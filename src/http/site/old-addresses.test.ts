import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { actor } from '../../../test/factories.ts';
import { type PlannedPage, startWithSite } from '../../../test/visit.ts';
import { addRedirect, removeRedirect } from '../../pages/page-redirects.ts';
import { readRedirectPath } from '../../sites/redirect-path.ts';

onEachDatabase('redirects from addresses of other systems', (open) => {
  test('the path of a redirect may have underscores, letters of all scripts and percent signs', async (t) => {
    const { add, at } = await start(t, open);
    for (const path of ['/about_us.html', '/Über-uns', '/caf%C3%A9', '/2019/05/hello_world/']) await add(path);
    for (const path of [
      ...['/about_us.html', '/About_Us.html', '/about%5fus.html'],
      ...['/%C3%9Cber-uns', '/%c3%bcber-uns/', '/U%CC%88ber-uns'],
      ...['/caf%C3%A9', '/cafe%CC%81', '/2019/05/hello_world/', '//2019/05/hello_world'],
    ]) {
      assert.deepEqual(await at(path), [301, '/team'], path);
    }
    assert.deepEqual(await at('/about_us.html?from=search'), [301, '/team?from=search']);
    for (const path of ['/about_them.html', '/caf%E9', '/%FF_', '/about_us.html%00', '/../about_us.html']) {
      assert.deepEqual(await at(path), [404, undefined], path);
    }
  });

  test('the query of a redirect matches in any order', async (t) => {
    const { add, at } = await start(t, open);
    for (const address of ['/index.php?page=3', '/?p=123', '/shop_list.php?b=2&a=1']) await add(address);
    for (const path of ['/index.php?page=3', '/?p=123', '/shop_list.php?b=2&a=1', '/shop_list.php?a=1&b=2']) {
      assert.deepEqual(await at(path), [301, '/team'], path);
    }
    assert.deepEqual(await at('/Index.php?page=3'), [308, '/index.php?page=3']);
    for (const path of ['/index.php', '/index.php?page=4', '/index.php?page=3&x=1', '/shop_list.php?a=1']) {
      assert.deepEqual(await at(path), [404, undefined], path);
    }
    // Tracking parameters, as social networks add them, are kept.
    assert.deepEqual(await at('/?p=123&fbclid=Iw%41R0'), [301, '/team?fbclid=Iw%41R0']);
    assert.deepEqual(await at('/index.php?utm_source=x&page=3'), [301, '/team?utm_source=x']);
    for (const path of ['/', '/?p=124', '/team?p=123', '/?p=123&utm=x'])
      assert.deepEqual(await at(path), [200, undefined], path);
  });

  test('a redirect with a query takes precedence over the path alone and over the page there', async (t) => {
    const { add, at, home } = await start(t, open);
    await add('/old.php');
    await add('/old.php?page=home', home);
    await add('/team?lang=en', home);
    assert.deepEqual(await at('/old.php?page=home'), [301, '/']);
    assert.deepEqual(await at('/old.php?id=5'), [301, '/team?id=5']);
    assert.deepEqual(await at('/team?lang=en'), [301, '/']);
    assert.deepEqual(await at('/team?lang=de'), [200, undefined]);
  });

  test('a later part of a list of sub-pages takes precedence over a redirect with its address', async (t) => {
    const children = Array.from({ length: 61 }, (_, index) => ({ name: `Post ${index}` }));
    const { add, at, home } = await start(t, open, [{ name: 'Blog', children }]);
    for (const address of ['/blog?page=2', '/blog?page=3', '/blog?cat=4&page=2', '/team?page=2'])
      await add(address, home);
    for (const path of ['/blog?page=2', '/blog?page=2&utm_source=x', '/blog?id=1&page=2']) {
      assert.deepEqual(await at(path), [200, undefined], path);
    }
    assert.deepEqual(await at('/blog?page=3'), [301, '/']);
    assert.deepEqual(await at('/blog?page=2&cat=4'), [301, '/']);
    assert.deepEqual(await at('/team?page=2'), [301, '/']);
    assert.equal((await at('/blog?page=4'))[0], 404);
  });

  test('an empty query does not make a redirect take precedence over the page at its path', async (t) => {
    const { add, at, home } = await start(t, open);
    await add('/team', home);
    await add('/?p=1');
    assert.deepEqual(await at('/team?&'), [200, undefined]);
  });

  test('a new redirect takes effect at once for an address that was not found before', async (t) => {
    const { add, remove, at } = await start(t, open);
    await add('/other_page');
    assert.equal((await at('/old_page'))[0], 404);
    assert.equal((await at('/?p=1'))[0], 200);
    const [id] = [await add('/old_page'), await add('/?p=1')];
    assert.deepEqual(await at('/old_page'), [301, '/team']);
    assert.deepEqual(await at('/?p=1'), [301, '/team']);
    await remove(id);
    assert.equal((await at('/old_page'))[0], 404);
  });

  test('a site without such redirects is not looked up for each address', async (t) => {
    const { at, db } = await start(t, open);
    await at('/first_one');
    // Add redirects that a look-up would find, without raising the version of the site.
    const page = await db
      .selectFrom('pages')
      .select(['id', 'account_id'])
      .where('name', '=', 'Team')
      .executeTakeFirstOrThrow();
    const row = { account_id: page.account_id, page_id: page.id, version: 1 };
    const values = [
      { ...row, path: '/second_one' },
      { ...row, path: '/?p=7' },
    ];
    await db.transaction().execute((trx) => trx.insertInto('redirects').values(values).execute());
    assert.equal((await at('/second_one'))[0], 404);
    assert.equal((await at('/?p=7'))[0], 200);
  });

  test('paths that every site serves itself cannot be redirected', async (t) => {
    const { at } = await start(t, open);
    for (const path of [
      ...['/feed.xml', '/robots.txt', '/sitemap.xml', '/favicon.svg', '/search.html'],
      ...['/favicon.ico', '/pages.html', '/sitemap-2.xml', '/media/photo.jpg', '/-/base.css'],
    ]) {
      assert.deepEqual(readRedirectPath(path), { code: 'served_path' }, path);
      assert.deepEqual(readRedirectPath(`${path}?x=1`), { code: 'served_path' }, path);
      if (!/\d|media|-\/|pages/.test(path)) assert.notEqual((await at(path))[0], 404, path);
    }
    assert.equal(readRedirectPath('/media/photos'), '/media/photos');
  });
});

async function start(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  more: readonly PlannedPage[] = [],
) {
  const started = await startWithSite(t, open, ['Home', 'Team', ...more]);
  const { db, accountId, userId, visit } = started;
  const rows = await db.selectFrom('pages').select('id').where('account_id', '=', accountId).orderBy('id').execute();
  const [home, team] = rows.map(({ id }) => id);
  return {
    ...started,
    home: home!,
    add: async (address: string, pageId = team!): Promise<number> => {
      const path = readRedirectPath(address);
      if (typeof path !== 'string') throw new Error(`${address}: ${path.code}`);
      const input = { path, pageId };
      const added = await db.transaction().execute((trx) => addRedirect(trx, accountId, input, actor(userId)));
      return added.id;
    },
    remove: (id: number) => db.transaction().execute((trx) => removeRedirect(trx, accountId, id, actor(userId))),
    at: async (path: string) => {
      const { status, headers } = await visit(path);
      return [status, headers.location];
    },
  };
}
