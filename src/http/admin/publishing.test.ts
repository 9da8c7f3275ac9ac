import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithSite } from '../../../test/visit.ts';

onEachDatabase('publishing pages', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const site = await startWithSite(t, open, ['Home']);
    const { service, db, accountId, key } = site;
    const person = await signedInAs(service, db, accountId, 'admin');
    const publish = async (id: number, fields?: object) => {
      const { version } = (await person.get(`pages/${id}`)).json;
      return person.post(`pages/${id}/publish`, { fields }, { 'If-Match': `"${version}"` });
    };
    const unpublish = (id: number) => person.post(`pages/${id}/unpublish`, {});
    const undo = (change: { json: { undo: number } }) => person.post(`undo/${change.json.undo}`, {});
    const listed = async (name: string) => (await service.pages(key)).find((page) => page.name === name)!;
    /** Returns the status of the page, and which of the site's menu, sitemap and feed contain it. */
    const seen = async (path: string) => {
      const found = [(await site.visit(path)).status] as (number | string)[];
      for (const place of ['/', '/sitemap.xml', '/feed.xml']) {
        if ((await site.visit(place)).text.includes(path)) found.push(place);
      }
      return found;
    };
    return { ...site, person, publish, unpublish, undo, listed, seen };
  }

  const everywhere = [200, '/', '/sitemap.xml', '/feed.xml'];

  test('a page created in the app is hidden from visitors until it is published, and then in the menu', async (t) => {
    const { person, publish, listed, seen } = await start(t);
    const { json } = await person.post('pages', { name: 'News' });
    assert.deepEqual([json.isPublished, json.isHidden], [false, false]);
    assert.deepEqual(await seen('/news'), [404]);
    assert.equal((await listed('News')).is_hidden, true);
    const tree = (await person.get('pages')).json.pages;
    assert.deepEqual(
      tree.map(({ name, isPublished }: { name: string; isPublished: boolean }) => [name, isPublished]),
      [
        ['Home', true],
        ['News', false],
      ],
    );
    const published = await publish(json.id, { body: 'Fresh' });
    assert.equal(published.json.page.isPublished, true);
    assert.deepEqual(await seen('/news'), everywhere);
    const page = await listed('News');
    assert.deepEqual([page.is_hidden, page.body], [false, 'Fresh']);
  });

  test('only addresses at which a page was published redirect to its new address', async (t) => {
    const { person, visit, publish, unpublish } = await start(t);
    const { id } = (await person.post('pages', { name: 'Draft' })).json;
    await publish(id, { urlname: 'news' });
    assert.equal((await visit('/draft')).status, 404, 'the page was never published there');
    await unpublish(id);
    await publish(id, { urlname: 'fresh' });
    assert.equal((await visit('/news')).headers.location, '/fresh');
    const parent = (await person.post('pages', { name: 'Shop' })).json.id;
    const child = (await person.post('pages', { name: 'Bread', parentId: parent })).json.id;
    await publish(child);
    await publish(parent, { urlname: 'bakery' });
    assert.equal((await visit('/shop')).status, 404);
    assert.equal((await visit('/shop/bread')).headers.location, '/bakery/bread');
  });

  test('a copy of a published page is not published', async (t) => {
    const { person, listed, seen, add } = await start(t);
    const id = await add({ name: 'News', body: 'Fresh' });
    const copy = await person.post(`pages/${id}/duplicate`, {});
    assert.deepEqual([copy.status, await seen('/news-2')], [201, [404]]);
    assert.equal((await listed('News 2')).is_hidden, true);
  });

  test('a page can be published outside of the menu, and published as it is without a draft', async (t) => {
    const { person, publish, seen } = await start(t);
    const hidden = (await person.post('pages', { name: 'Secret' })).json.id;
    await publish(hidden, { isHidden: true });
    assert.deepEqual(await seen('/secret'), [200]);
    const whole = (await person.post('pages', { name: 'Prices', body: 'Bread: 4' })).json.id;
    assert.equal((await publish(whole)).status, 200);
    assert.deepEqual(await seen('/prices'), everywhere);
    assert.equal((await publish(whole)).status, 404, 'there is nothing to publish');
  });

  test('undoing the first publication hides the page from visitors, and keeps its text', async (t) => {
    const { person, publish, undo, seen } = await start(t);
    const { id } = (await person.post('pages', { name: 'News' })).json;
    const { json } = await undo(await publish(id, { body: 'Too early' }));
    assert.deepEqual([json.page.isPublished, json.page.body], [false, 'Too early']);
    assert.deepEqual(await seen('/news'), [404]);
  });

  test('an unpublished page keeps its text and drafts, and unpublishing can be undone', async (t) => {
    const { person, publish, unpublish, undo, listed, seen } = await start(t);
    const { id } = (await person.post('pages', { name: 'News', body: 'Old' })).json;
    const { page } = (await publish(id)).json;
    await person.put(`pages/${id}/draft`, { fields: { body: 'New' }, basedOn: page.version, draftAt: null });
    const done = await unpublish(id);
    assert.deepEqual([done.json.page.isPublished, done.json.page.draft.fields.body], [false, 'New']);
    assert.deepEqual(await seen('/news'), [404]);
    assert.equal((await listed('News')).is_hidden, true);
    assert.equal((await undo(done)).json.page.isPublished, true);
    assert.deepEqual(await seen('/news'), everywhere);
    await unpublish(id);
    // Unpublishing does not change the text: a user who edits meanwhile can publish without a conflict.
    const again = await person.post(`pages/${id}/publish`, {}, { 'If-Match': `"${page.version}"` });
    assert.deepEqual([again.status, again.json.page.body], [200, 'New']);
    assert.deepEqual(await seen('/news'), everywhere);
  });

  test('after unpublishing the home page, the next page is home; without any, the site is being prepared', async (t) => {
    const { person, publish, unpublish, visit } = await start(t);
    const news = (await person.post('pages', { name: 'News' })).json.id;
    await publish(news);
    const home = (await person.get('pages')).json.pages[0].id;
    assert.equal((await unpublish(home)).json.home, 'News');
    assert.equal((await visit('/news')).headers.location, '/');
    assert.equal((await unpublish(news)).json.home, null);
    const { status, text } = await visit('/');
    assert.equal(status, 200);
    assert.match(text, /being prepared/);
    assert.match(text, /<meta name="robots" content="noindex">/);
  });

  test('pages below an unpublished page keep their addresses, and are in no menu', async (t) => {
    const { person, publish, unpublish, seen, visit } = await start(t);
    const above = (await person.post('pages', { name: 'Shop' })).json.id;
    const below = (await person.post('pages', { name: 'Bread', parentId: above })).json.id;
    await publish(above);
    await publish(below);
    await unpublish(above);
    assert.deepEqual([await seen('/shop'), await seen('/shop/bread')], [[404], [200]]);
    const { text } = await visit('/shop/bread');
    assert.match(text, /<meta name="robots" content="noindex">/);
    assert.doesNotMatch(text, /href="\/shop"/);
    assert.equal((await person.get(`pages/${below}`)).json.ancestors[0].isPublished, false);
  });

  test('the site’s search finds neither an unpublished page nor its descendants', async (t) => {
    const { person, publish, unpublish, visit } = await start(t);
    const above = (await person.post('pages', { name: 'Shop', body: 'sourdough' })).json.id;
    const below = (await person.post('pages', { name: 'Bread', body: 'sourdough', parentId: above })).json.id;
    await publish(below);
    const found = async () => {
      const { text } = await visit('/search.html?q=sourdough');
      return [text.includes('href="/shop"'), text.includes('href="/shop/bread"')];
    };
    assert.deepEqual(await found(), [false, false]);
    await publish(above);
    assert.deepEqual(await found(), [true, true]);
    await unpublish(below);
    assert.deepEqual(await found(), [true, false]);
  });

  test('a former address does not redirect to an unpublished page', async (t) => {
    const { person, publish, unpublish, visit } = await start(t);
    const { id } = (await person.post('pages', { name: 'News' })).json;
    await publish(id);
    await person.patch(`pages/${id}`, { urlname: 'blog' }, { 'If-Match': '*' });
    assert.equal((await visit('/news')).headers.location, '/blog');
    await unpublish(id);
    assert.equal((await visit('/news')).status, 404);
  });

  test('an unpublished page that is moved, deleted and restored stays unpublished', async (t) => {
    const { person, undo, seen } = await start(t);
    const { id } = (await person.post('pages', { name: 'News' })).json;
    await person.post(`pages/${id}/move`, { parentId: 0, position: 1 });
    const { json } = await undo(await person.delete(`pages/${id}`));
    assert.equal(json.page.isPublished, false);
    assert.deepEqual(await seen('/news'), [404]);
  });

  test('the preview of an unpublished page shows the page and its entry in the menu', async (t) => {
    const { person } = await start(t);
    const { id } = (await person.post('pages', { name: 'News', body: 'Fresh' })).json;
    const { text } = await person.post(`pages/${id}/preview`, { fields: {} });
    assert.match(text, /Fresh/);
    assert.match(text, /<a [^>]*href="\/news"/);
  });

  test('a page that the API creates is published', async (t) => {
    const { service, key, seen } = await start(t);
    await service.createPage(key, { name: 'News' });
    assert.deepEqual(await seen('/news'), everywhere);
  });
});
