import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { visit } from '../../../test/visit.ts';

onEachDatabase('the site of a new customer', (open) => {
  async function start(t: Parameters<typeof open>[0], language = 'en') {
    const started = await startWithAccount(t, open, { SITES_DOMAIN: 'sites.test:8080' });
    const { service, db, key } = started;
    const seller = db.updateTable('accounts').set({ language }).where('id', '=', started.accountId);
    await db.transaction().execute((trx) => trx.executeQuery(seller));
    await service.createCustomer(key, { account_subdomain: 'bakery' });
    const { id: accountId } = await db
      .selectFrom('accounts')
      .select('id')
      .where('subdomain', '=', 'bakery')
      .executeTakeFirstOrThrow();
    const owner = await signedInAs(service, db, accountId);
    const customerKey: string = (await owner.post('keys', { name: 'Test' })).json.key;
    const list = async () =>
      (await owner.get('pages')).json.pages as { id: number; name: string; isPublished: boolean }[];
    const pages = await list();
    const nowNamed = async () => (await list()).map(({ name }) => name);
    const idOf = (name: string) => pages.find((page) => page.name === name)!.id;
    const publish = async (name: string, fields?: object) => {
      const { version } = (await owner.get(`pages/${idOf(name)}`)).json;
      return owner.post(`pages/${idOf(name)}/publish`, { fields }, { 'If-Match': `"${version}"` });
    };
    const look = (path: string) => visit(service, 'bakery.sites.test', path);
    const listed = async () => (await service.pages(customerKey)).map(({ name, is_hidden }) => [name, is_hidden]);
    return { ...started, owner, customerKey, pages, nowNamed, idOf, publish, look, listed };
  }

  const names = ['Home', 'About', 'Services', 'Contact'];
  const asCreated = names.map((name) => [name, false]);

  test('a new site shows “coming soon” with its name and theme, and is not indexed', async (t) => {
    const { look } = await start(t);
    const { status, text, headers } = await look('/');
    assert.equal(status, 200);
    assert.match(text, /<title>Acme Bakery<\/title>/);
    assert.match(text, /<h1>Coming soon<\/h1>/);
    assert.match(text, /<link rel="stylesheet" href="\/-\/typographic\./);
    assert.match(text, /<meta name="robots" content="noindex">/);
    assert.equal(headers['x-robots-tag'], 'noindex');
    assert.doesNotMatch(text, /href="\/(?:home|about|services|contact)"/);
  });

  test('unpublished default pages are in the API and the app, but nowhere on the site', async (t) => {
    const { look, listed, pages } = await start(t);
    for (const name of names) assert.equal((await look(`/${name.toLowerCase()}`)).status, 404, name);
    assert.doesNotMatch((await look('/sitemap.xml')).text, /<loc>/);
    assert.doesNotMatch((await look('/feed.xml')).text, /<entry>/);
    assert.doesNotMatch((await look('/search.html?q=acme')).text, /href="\/(?:about|contact)"/);
    assert.match((await look('/robots.txt')).text, /Allow: \//);
    assert.deepEqual(await listed(), asCreated);
    assert.deepEqual(
      pages.map(({ name, isPublished }) => [name, isPublished]),
      names.map((name) => [name, false]),
    );
  });

  test('a site opens when its first default page is published, changed or unchanged', async (t) => {
    const { look, publish, listed } = await start(t);
    const published = await publish('Contact');
    assert.equal(published.json.home, 'Contact');
    const { text, headers } = await look('/');
    assert.match(text, /<h1[^>]*>Contact<\/h1>/);
    assert.doesNotMatch(text, /noindex|href="\/about"/);
    assert.equal(headers['x-robots-tag'], undefined);
    await publish('Home', { body: '<p>Bread from six.</p>' });
    assert.match((await look('/')).text, /Bread from six/);
    assert.equal((await look('/contact')).status, 200);
    assert.equal((await look('/about')).status, 404);
    assert.deepEqual(await listed(), asCreated);
  });

  test('a site opens when the API creates its first visible page', async (t) => {
    const { service, customerKey, look, listed } = await start(t);
    await service.createPage(customerKey, { name: 'Impressum', is_hidden: '1' });
    assert.equal((await look('/')).headers['x-robots-tag'], 'noindex');
    await service.createPage(customerKey, { name: 'Bread', body: '<p>From six.</p>' });
    const { text } = await look('/');
    assert.match(text, /From six/);
    assert.doesNotMatch(text, /noindex|href="\/about"/);
    assert.deepEqual(await listed(), [...asCreated, ['Impressum', true], ['Bread', false]]);
  });

  test('undoing the first publication closes the site, and the API lists a changed page as hidden', async (t) => {
    const { owner, look, publish, listed } = await start(t);
    const undo = (change: { json: { undo: number } }) => owner.post(`undo/${change.json.undo}`, {});
    assert.equal((await undo(await publish('Home'))).json.page.isPublished, false);
    assert.match((await look('/')).text, /Coming soon/);
    assert.deepEqual(await listed(), asCreated);
    assert.equal((await undo(await publish('Home', { body: 'Too early' }))).json.page.body, 'Too early');
    assert.match((await look('/')).text, /Coming soon/);
    assert.deepEqual((await listed())[0], ['Home', true]);
  });

  test('a site stays closed when default pages are renamed, moved, copied, or deleted and restored', async (t) => {
    const { owner, idOf, look, listed } = await start(t);
    await owner.patch(`pages/${idOf('About')}`, { name: 'Who we are' }, { 'If-Match': '*' });
    await owner.post(`pages/${idOf('Services')}/move`, { parentId: 0, position: 1 });
    await owner.post(`pages/${idOf('Home')}/duplicate`, {});
    const deleted = await owner.delete(`pages/${idOf('Contact')}`);
    await owner.post(`undo/${deleted.json.undo}`, {});
    assert.match((await look('/')).text, /Coming soon/);
    assert.deepEqual(await listed(), [
      ['Services', false],
      ['Home', false],
      ['Home 2', true],
      ['Who we are', false],
      ['Contact', false],
    ]);
  });

  test('a closed site can be previewed: each page, and the theme with all pages in the menu', async (t) => {
    const { owner, idOf, publish } = await start(t);
    assert.match((await owner.post(`pages/${idOf('About')}/preview`, { fields: {} })).text, /About Acme Bakery/);
    const paths = async () => {
      const { text } = await owner.post('site-preview', { theme: 'business' });
      return ['/about', '/services', '/contact'].filter((path) => text.includes(`<a href="${path}"`));
    };
    assert.deepEqual(await paths(), ['/about', '/services', '/contact']);
    assert.match((await owner.post('site-preview', {})).text, /Welcome to Acme Bakery/);
    await publish('Contact');
    assert.deepEqual(await paths(), []);
  });

  test('a new site and its default pages are in the language of the seller’s site', async (t) => {
    const { nowNamed, publish, look } = await start(t, 'de-AT');
    assert.deepEqual(await nowNamed(), ['Startseite', 'Über uns', 'Leistungen', 'Kontakt']);
    assert.match((await look('/')).text, /<html lang="de-AT"/);
    await publish('Kontakt');
    assert.match((await look('/')).text, /Wir freuen uns, von Ihnen zu hören/);
  });

  test('default pages follow the site’s language and name, unless a user has changed them', async (t) => {
    const { service, customerKey, owner, db, idOf, nowNamed, publish } = await start(t);
    const bytes = async () => {
      const { rows } = await sql<{ counted: number; found: number }>`
        select page_bytes as counted,
          (select sum(octet_length(body) + octet_length(description)) from pages where account_id = accounts.id) as found
        from accounts where subdomain = 'bakery'`.execute(db);
      return [Number(rows[0]!.counted), Number(rows[0]!.found)] as const;
    };
    assert.equal((await owner.patch('settings', { language: 'fr' })).status, 200);
    assert.deepEqual(await nowNamed(), ['Accueil', 'À propos', 'Services', 'Contact']);
    assert.deepEqual(...((await bytes()) as unknown as [number, number]));
    await owner.patch('settings', { language: 'en', name: 'Ann & Co' });
    assert.deepEqual(await nowNamed(), names);
    const [home] = await service.pages(customerKey);
    assert.deepEqual([home!.url, home!.is_hidden], ['/home', false]);
    assert.match(home!.body, /<h1>Welcome to Ann &amp; Co<\/h1>/);

    await publish('Home');
    const { version } = (await owner.get(`pages/${idOf('About')}`)).json;
    await owner.put(`pages/${idOf('About')}/draft`, { fields: { body: 'We' }, basedOn: version, draftAt: null });
    await owner.post('pages', { name: 'Kontakt' });
    await owner.patch('settings', { language: 'de' });
    assert.deepEqual(await nowNamed(), ['Home', 'About', 'Leistungen', 'Contact', 'Kontakt']);
  });
});
