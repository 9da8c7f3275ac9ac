import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeCustomer } from '../../../test/factories.ts';
import { startWithSite, visit } from '../../../test/visit.ts';
import { suspendCustomer } from '../../accounts/change-customer.ts';
import { changeSettings } from '../../accounts/change-settings.ts';
import { operator } from '../../audit/record-audit-event.ts';
import { changeSite } from '../../sites/change-site.ts';
import { themes } from '../../sites/site.ts';
import { unknownHost } from './responses.ts';

onEachDatabase('visitors of a site', (open) => {
  test('a menu that does not have all root pages links to a list of them, 60 at a time', async (t) => {
    const names = Array.from({ length: 62 }, (_, index) => `Page ${index + 1}`);
    const site = await startWithSite(t, open, [...names.slice(0, 24), { name: 'Secret', isHidden: true }]);
    assert.equal((await site.visit('/pages.html')).status, 404);
    assert.doesNotMatch((await site.visit('/')).text, /pages\.html/);
    for (const name of names.slice(24)) await site.add(name);

    for (const theme of themes) {
      await site.db
        .transaction()
        .execute((trx) => changeSite(trx, site.accountId, { theme, accent: undefined, language: undefined }));
      assert.match((await site.visit('/page-2')).text, /<a href="\/pages\.html">All pages<\/a>/, theme);
      const first = await site.visit('/pages.html');
      assert.equal(first.status, 200);
      assert.match(first.text, /<h1>All pages<\/h1>/);
      assert.match(first.text, /<a href="\/pages\.html" aria-current="page">All pages<\/a>/, theme);
      assert.match(first.text, /<meta name="robots" content="noindex">/);
      assert.match(first.text, /<a rel="next" href="\/pages\.html\?page=2">/);
      assert.match(first.text, /href="\/page-60"/);
      assert.doesNotMatch(first.text, /href="\/page-(?:1|61)"|secret/);
      const second = (await site.visit('/pages.html?page=2')).text;
      assert.match(second, /href="\/page-61"[\s\S]*href="\/page-62"/);
      assert.match(second, /<a rel="prev" href="\/pages\.html">/);
      assert.equal((await site.visit('/pages.html?page=3')).status, 404);
    }
  });

  test('the first visible root page is the home page, and every other page is at its path', async (t) => {
    const site = await startWithSite(t, open, [
      { name: 'Draft', isHidden: true },
      { name: 'Welcome', body: '<p>The welcome.</p>' },
      { name: 'Shop', body: '<p>The shop.</p>', children: [{ name: 'Bread', body: '<p>The bread.</p>' }] },
    ]);
    for (const [path, words] of [
      ['/', 'The welcome.'],
      ['/shop', 'The shop.'],
      ['/shop/bread', 'The bread.'],
    ] as const) {
      const { status, text, headers } = await site.visit(path);
      assert.equal(status, 200, path);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.ok(text.includes(words), path);
      assert.ok(text.includes(`<link rel="canonical" href="${site.address}${path}">`), path);
    }
  });

  test('the home page’s own path redirects to /', async (t) => {
    const site = await startWithSite(t, open, [{ name: 'Home', children: [{ name: 'Inside' }] }]);
    for (const [path, location] of [
      ['/home', '/'],
      ['/home?from=mail', '/?from=mail'],
    ] as const) {
      const { status, headers } = await site.visit(path);
      assert.deepEqual([status, headers.location], [308, location]);
      // Another page may become the home page.
      assert.equal(headers['cache-control'], 'no-cache');
    }
    assert.equal((await site.visit('/home/inside')).status, 200);
  });

  test('other spellings of a URL redirect to the canonical one, with the query', async (t) => {
    const site = await startWithSite(t, open, [
      'Home',
      { name: 'Shop', children: ['Bread'].map((name) => ({ name })) },
    ]);
    for (const [path, location] of [
      ['/Shop', '/shop'],
      ['/SHOP/Bread', '/shop/bread'],
      ['/shop/', '/shop'],
      ['//shop//bread//', '/shop/bread'],
      ['//', '/'],
      ['/%73hop', '/shop'],
      ['/shop/?a=1&b=%C3%A9', '/shop?a=1&b=%C3%A9'],
      ['/shop?page=1', '/shop'],
      ['/shop?a=1&page=1', '/shop?a=1'],
      ['/Robots.txt', '/robots.txt'],
    ] as const) {
      const { status, headers } = await site.visit(path);
      assert.deepEqual([status, headers.location], [308, location], path);
    }
    // Tracking parameters do not redirect.
    assert.equal((await site.visit('/shop?utm_source=mail')).status, 200);
  });

  test('no path redirects to another host', async (t) => {
    const site = await startWithSite(t, open, ['Home']);
    for (const path of [
      '//evil.example',
      '//evil.example/',
      '/\\evil.example/',
      '/%5Cevil.example/',
      '/..//evil.example/',
    ]) {
      const { status, headers } = await site.visit(path);
      assert.ok(status === 404 || /^\/(?![/\\])/.test(headers.location ?? ''), `${path}: ${headers.location}`);
    }
  });

  test('an unknown path is answered with 404 in the site’s theme, with its navigation', async (t) => {
    const site = await startWithSite(t, open, ['Home', { name: 'Shop', children: [{ name: 'Bread' }] }]);
    for (const path of [
      '/nothing',
      '/shop/nothing',
      '/nothing/bread',
      '/bread',
      '/%ff',
      '/a%2Fb',
      '/shop?page=2',
      '/x.html',
      '/-/x.css',
    ]) {
      const { status, text, headers } = await site.visit(path);
      assert.equal(status, 404, path);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.match(text, /<link rel="stylesheet"/);
      assert.match(text, /<a href="\/shop\/bread"/);
      assert.match(text, /<meta name="robots" content="noindex">/);
      assert.doesNotMatch(text, /nothing|x\.html/);
    }
  });

  test('a site without visible pages shows a placeholder', async (t) => {
    const site = await startWithSite(t, open, []);
    const { status, text } = await site.visit('/');
    assert.equal(status, 200);
    assert.match(text, /<meta name="robots" content="noindex">/);
    assert.match(text, /being prepared/);
    assert.equal((await site.visit('/anything')).status, 404);
    // If all pages are hidden, there is nothing to show either.
    await site.add({ name: 'Draft', isHidden: true });
    assert.match((await site.visit('/')).text, /being prepared/);
    assert.equal((await site.visit('/draft')).status, 200);
  });

  test('an unknown host is answered with a readable 404 that reveals nothing', async (t) => {
    const { service } = await startWithSite(t, open, ['Home']);
    for (const host of [
      'nobody.sites.test',
      'sites.test',
      'a.b.sites.test',
      'example.com',
      'nobody.sites.test.evil.example',
      'xsites.test',
    ]) {
      const { status, text, headers } = await visit(service, host, '/secret-path');
      assert.deepEqual([status, text], [404, unknownHost.body], host);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.match(text, /<meta name="viewport" content="width=device-width, .*<h1>There is no website here<\/h1>/s);
      assert.equal(headers.server, undefined);
    }
  });

  test('every path of a suspended account is answered with 503 and Retry-After, and names the seller', async (t) => {
    const { service, db, accountId } = await startWithSite(t, open, []);
    const customer = await makeCustomer(db, accountId, 'bakery');
    const host = 'bakery.sites.test';
    assert.equal((await visit(service, host, '/')).status, 200);
    await db.transaction().execute(async (trx) => {
      await changeSettings(trx, accountId, { name: 'Acme & Sons' }, operator);
      await suspendCustomer(trx, accountId, customer, operator);
    });
    for (const path of ['/', '/any', '/robots.txt', '/sitemap.xml', '/feed.xml']) {
      const { status, headers, text } = await visit(service, host, path);
      assert.equal(status, 503, path);
      assert.equal(headers['retry-after'], '86400');
      assert.doesNotMatch(text, /bakery/i);
      // The seller is named as the contact.
      assert.match(text, /<a href="http:\/\/[^"]+"><bdi>Acme &amp; Sons<\/bdi><\/a> can tell you more/);
    }
  });

  test('the menu has the root pages and their children, and marks the current page', async (t) => {
    const site = await startWithSite(t, open, [
      'Home',
      { name: 'Shop', children: [{ name: 'Bread', children: [{ name: 'Rye' }] }] },
    ]);
    const shop = (await site.visit('/shop')).text;
    assert.match(shop, /<a href="\/shop" aria-current="page">Shop<\/a>/);
    assert.match(shop, /<a href="\/shop\/bread">Bread<\/a>/);
    assert.match((await site.visit('/')).text, /<a href="\/" aria-current="page">Home<\/a>/);
    const { text } = await site.visit('/shop/bread/rye');
    const crumbs = /<nav class="breadcrumbs"[\s\S]*?<\/nav>/.exec(text)![0];
    assert.deepEqual(
      [...crumbs.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
      ['/', '/shop', '/shop/bread', '/shop/bread/rye'],
    );
    assert.match(text, /"@type":"BreadcrumbList"/);
  });

  test('hidden pages are served at their URL, but are not in the navigation, sitemap or feed', async (t) => {
    const site = await startWithSite(t, open, [
      'Home',
      {
        name: 'Shop',
        children: [{ name: 'Secret', isHidden: true, children: [{ name: 'Deeper' }] }, { name: 'Bread' }],
      },
      { name: 'Draft', isHidden: true, children: [{ name: 'Below draft', body: '<p>below</p>' }] },
    ]);
    for (const path of ['/draft', '/draft/below-draft', '/shop/secret', '/shop/secret/deeper']) {
      const { status, text } = await site.visit(path);
      assert.equal(status, 200, path);
      assert.match(text, /<meta name="robots" content="noindex">/, path);
    }
    for (const path of ['/', '/shop', '/nothing', '/sitemap.xml', '/feed.xml']) {
      assert.doesNotMatch((await site.visit(path)).text, /draft|secret|deeper/i, path);
    }
    assert.doesNotMatch((await site.visit('/draft/below-draft')).text, /href="\/draft"/);
  });

  test('a page lists its sub-pages, 60 at a time', async (t) => {
    const children = Array.from({ length: 130 }, (_, index) => ({ name: `Part ${index + 1}` }));
    children.splice(5, 0, { name: 'Hidden part', isHidden: true } as { name: string });
    const site = await startWithSite(t, open, ['Home', { name: 'Book', children }]);
    const listed = async (path: string) => {
      const { status, text } = await site.visit(path);
      assert.equal(status, 200, path);
      const list = /<nav class="sub-pages"[\s\S]*?<\/nav>/.exec(text)![0];
      const names = [...list.matchAll(/<h3><a [^>]*>([^<]+)</g)].map(([, name]) => name);
      return { text, names, links: [...list.matchAll(/rel="(prev|next)" href="([^"]+)"/g)].map(([, ...link]) => link) };
    };
    const first = await listed('/book');
    assert.deepEqual([first.names.length, first.names[0], first.names[59]], [60, 'Part 1', 'Part 60']);
    assert.deepEqual(first.links, [['next', '/book?page=2']]);
    const second = await listed('/book?page=2');
    assert.deepEqual([second.names.length, second.names[0]], [60, 'Part 61']);
    assert.deepEqual(second.links, [
      ['prev', '/book'],
      ['next', '/book?page=3'],
    ]);
    assert.ok(second.text.includes(`<link rel="canonical" href="${site.address}/book?page=2">`));
    const third = await listed('/book?page=3');
    assert.deepEqual([third.names.length, third.links], [10, [['prev', '/book?page=2']]]);
    for (const part of ['4', '0', '-1', '02', 'x', '', '99999999999', '1e1']) {
      assert.equal((await site.visit(`/book?page=${part}`)).status, 404, part);
    }
  });
});
