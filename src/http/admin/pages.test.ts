import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { test } from 'node:test';
import pg from 'pg';
import { onEachDatabase } from '../../../test/databases.ts';
import { makePage } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';

/** Accepts any version of a page. */
const ANY = { 'If-Match': '*' };

onEachDatabase('pages in the admin app', (open) => {
  test('the tree is listed in parts, with the number of children, and whether the user has a draft', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const home = await makePage(db, accountId, { userId, name: 'Home' });
    const about = await makePage(db, accountId, { userId, name: 'About us', isHidden: '1' });
    await makePage(db, accountId, { userId, name: 'News' });
    await makePage(db, accountId, { userId, name: 'Team', parentId: String(about) });
    const jobs = await makePage(db, accountId, { userId, name: 'Jobs', parentId: String(about) });
    await person.put(`pages/${jobs}/draft`, { fields: { body: 'We are' }, basedOn: 1, draftAt: null });

    const first = (await person.get('pages?limit=2')).json;
    assert.equal(first.total, 3);
    assert.deepEqual(
      first.pages.map(({ version, ...page }: { version: number }) => page),
      [
        {
          id: home,
          parentId: 0,
          name: 'Home',
          urlname: 'home',
          position: 1,
          isHidden: false,
          isPublished: true,
          childCount: 0,
          hasDraft: false,
        },
        {
          id: about,
          parentId: 0,
          name: 'About us',
          urlname: 'about-us',
          position: 2,
          isHidden: true,
          isPublished: true,
          childCount: 2,
          hasDraft: false,
        },
      ],
    );
    const second = (await person.get('pages?limit=2&after=2')).json;
    assert.deepEqual(namesOf(second), ['News']);
    const below = (await person.get(`pages?parent=${about}`)).json;
    assert.deepEqual(
      below.pages.map(({ name, hasDraft }: { name: string; hasDraft: boolean }) => [name, hasDraft]),
      [
        ['Team', false],
        ['Jobs', true],
      ],
    );
    const colleague = await signedInAs(service, db, accountId);
    const theirs = (await colleague.get(`pages?parent=${about}`)).json;
    assert.ok(theirs.pages.every(({ hasDraft }: { hasDraft: boolean }) => !hasDraft));
  });

  test('the tree shows no draft if it equals the published page', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const colleague = await signedInAs(service, db, accountId);
    const ids = [];
    for (const name of ['Fair', 'Jobs', 'Team']) {
      const id = await makePage(db, accountId, { userId, name });
      const fields = { isHidden: true, body: 'Soon', bodyFormat: 'markdown_format' };
      const { version } = (await person.get(`pages/${id}`)).json;
      await person.put(`pages/${id}/draft`, { fields, basedOn: version, draftAt: null });
      ids.push([id, fields]);
    }
    const [[fair, fields], [jobs]] = ids as [[number, object], [number]];
    const withDraft = async () =>
      (await person.get('pages')).json.pages
        .filter(({ hasDraft }: { hasDraft: boolean }) => hasDraft)
        .map(({ name }: { name: string }) => name);
    assert.deepEqual(await withDraft(), ['Fair', 'Jobs', 'Team']);
    await colleague.patch(`pages/${fair}`, fields, ANY);
    await colleague.patch(`pages/${jobs}`, { ...fields, isHidden: false }, ANY);
    assert.deepEqual(await withDraft(), ['Jobs', 'Team']);
    await colleague.patch(`pages/${fair}`, { body: 'Today' }, ANY);
    assert.deepEqual(await withDraft(), ['Fair', 'Jobs', 'Team'], 'the draft differs from the page again');
  });

  test('a search finds names, urlnames and paths regardless of case and accents, the best match first', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId, 'viewer');
    const make = (name: string, parentId?: number) =>
      makePage(db, accountId, { userId, name, ...(parentId && { parentId: String(parentId) }) });
    const cafe = await make('Café & Bar');
    const menu = await make('The menu', cafe);
    await make('Our cafe menu');
    await make('Decafé');
    await make('Menu');
    const find = async (text: string) => namesOf((await person.get(`pages/search?q=${encodeURIComponent(text)}`)).json);
    assert.deepEqual(await find('CAFE'), ['Café & Bar', 'Our cafe menu', 'Decafé']);
    assert.deepEqual(await find('menu'), ['Menu', 'The menu', 'Our cafe menu']);
    assert.deepEqual(await find('cafe-bar/the'), ['The menu']);
    assert.deepEqual(await find('/CAFE-bar/'), ['Café & Bar']);
    assert.deepEqual(await find('%'), []);
    assert.deepEqual(await find(' '), []);
    const { pages } = (await person.get('pages/search?q=the+menu')).json;
    const flags = { isHome: false, isHidden: false, isPublished: true };
    assert.deepEqual(pages, [{ id: menu, parentId: cafe, name: 'The menu', path: '/cafe-bar/the-menu', ...flags }]);
    const [found] = (await person.get('pages/search?q=CAFE')).json.pages;
    assert.deepEqual([found.id, found.isHome], [cafe, true]);
  });

  test('a search for a NUL character is refused', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    assert.equal((await person.get('pages/search?q=a%00b')).status, 422);
  });

  test('a search of an account with long texts is indexed and answered in another thread', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId, 'viewer');
    await makePage(db, accountId, { userId, name: 'Bread', body: 'rolls' });
    const statements: string[] = [];
    const watch = (prototype: object, name: string) => {
      const original: (...values: unknown[]) => unknown = Reflect.get(prototype, name);
      Reflect.set(prototype, name, function (this: { sourceSQL?: string }, ...values: unknown[]) {
        statements.push(this.sourceSQL ?? JSON.stringify(values[0]));
        return original.apply(this, values);
      });
      t.after(() => Reflect.set(prototype, name, original));
    };
    for (const name of ['all', 'run']) watch(StatementSync.prototype, name);
    watch(pg.Client.prototype, 'query');
    const searches = () => statements.some((statement) => statement.includes('search_'));
    assert.deepEqual(namesOf((await person.get('pages/search?q=roll')).json), ['Bread']);
    assert.equal(searches(), true);
    await makePage(db, accountId, { userId, name: 'Cake', body: `rolls ${'text '.repeat(60_000)}` });
    statements.length = 0;
    assert.deepEqual(namesOf((await person.get('pages/search?q=roll')).json), ['Bread', 'Cake']);
    assert.equal(searches(), false);
  });

  test('a search returns 50 pages, and tells whether there are more', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const find = async () => {
      const { pages, hasMore } = (await person.get('pages/search?q=page')).json;
      return [pages.length, hasMore];
    };
    for (let count = 1; count <= 50; count++) await makePage(db, accountId, { userId, name: `Page ${count}` });
    assert.deepEqual(await find(), [50, false]);
    await makePage(db, accountId, { userId, name: 'Page 51' });
    assert.deepEqual(await find(), [50, true]);
  });

  test('a page is returned with its path and ancestors, and its version as ETag', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const about = await makePage(db, accountId, { userId, name: 'About', isHidden: '1' });
    const id = await makePage(db, accountId, { userId, name: 'Team', parentId: String(about), body: 'a\r\n<b>' });
    const { json, headers } = await person.get(`pages/${id}`);
    assert.equal(headers.etag, `"${json.version}"`);
    assert.equal(json.path, '/about/team');
    assert.deepEqual(json.ancestors, [
      { id: about, name: 'About', urlname: 'about', isHidden: true, isPublished: true },
    ]);
    assert.equal(json.body, 'a\r\n<b>');
    assert.equal(json.createdBy, 'Olivia Owner');
    assert.equal(json.draft, null);
    assert.equal((await person.get(`pages/${id + 1}`)).status, 404);
  });

  test('only the first visible root page is the home page', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const hidden = await makePage(db, accountId, { userId, name: 'Hidden', isHidden: '1' });
    const first = await makePage(db, accountId, { userId, name: 'First' });
    const second = await makePage(db, accountId, { userId, name: 'Second' });
    const below = await makePage(db, accountId, { userId, name: 'Below', parentId: String(first) });
    const homes = async () => {
      const all = await Promise.all([hidden, first, second, below].map((id) => person.get(`pages/${id}`)));
      return all.filter(({ json }) => json.isHome).map(({ json }) => json.name);
    };
    assert.deepEqual(await homes(), ['First']);
    const { json } = await person.patch(`pages/${hidden}`, { isHidden: false }, ANY);
    assert.equal(json.page.isHome, true);
    assert.deepEqual(await homes(), ['Hidden']);
  });

  test('a page is created, or refused with every wrong field', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const { status, json } = await person.post('pages', { name: 'News', body: 'Hello', isHidden: true });
    assert.equal(status, 201);
    assert.deepEqual([json.name, json.body, json.isHidden, json.position], ['News', 'Hello', true, 1]);
    const child = (await person.post('pages', { name: 'First', parentId: json.id })).json;
    assert.equal(child.path, '/news/first');
    const refused = await person.post('pages', { name: 'News', parentId: 999_999 });
    assert.equal(refused.status, 422);
    assert.deepEqual(refused.json.error.fields, [
      { field: 'name', code: 'taken' },
      { field: 'parentId', code: 'missing' },
    ]);
    assert.equal((await person.post('pages', { name: 7 })).status, 400);
    assert.equal((await person.post('pages', { name: 'x', bodyFormat: 'rtf' })).status, 422);
  });

  test('a change affects the given fields only, and the address only on request', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const id = await makePage(db, accountId, { userId, name: 'News', body: 'Hello' });
    await makePage(db, accountId, { userId, name: 'One', parentId: String(id) });

    const named = (await person.patch(`pages/${id}`, { name: ' Latest ', customDate: 86_400_000 }, ANY)).json;
    assert.deepEqual(
      [named.changedAddresses, named.page.name, named.page.path, named.page.customDate, named.page.body],
      [0, 'Latest', '/news', 86_400_000, 'Hello'],
    );
    assert.equal(named.page.updatedBy, 'The owner');
    const change = { urlname: '', description: 'All of it' };
    assert.deepEqual((await person.patch(`pages/${id}`, { ...change, preview: true })).json, {
      changedAddresses: 2,
      urlname: 'latest',
    });
    assert.equal((await person.get(`pages/${id}`)).json.path, '/news');
    const moved = (await person.patch(`pages/${id}`, change, ANY)).json;
    assert.deepEqual([moved.changedAddresses, moved.page.path], [2, '/latest']);
    const same = (await person.patch(`pages/${id}`, change, ANY)).json;
    assert.deepEqual([same.changedAddresses, same.undo, same.page.version], [0, null, moved.page.version]);

    const back = (await person.post(`undo/${moved.undo}`)).json;
    assert.deepEqual([back.page.path, back.page.description, back.page.name], ['/news', null, 'Latest']);
    assert.equal((await person.post(`undo/${moved.undo}`)).status, 409);
    const redone = (await person.post(`undo/${back.undo}`)).json;
    assert.deepEqual([redone.page.path, redone.page.description], ['/latest', 'All of it']);
  });

  test('an entered urlname must be free; a urlname derived from the name gets a number if it is taken', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    await makePage(db, accountId, { userId, name: 'News' });
    const id = await makePage(db, accountId, { userId, name: 'News!' });
    const urlnameAfter = async (fields: object) => (await person.patch(`pages/${id}`, fields, ANY)).json.page.urlname;
    assert.equal(await urlnameAfter({ urlname: '' }), 'news-2');
    assert.equal(await urlnameAfter({ urlname: 'Über uns' }), 'uber-uns');
    assert.equal(await urlnameAfter({ urlname: '' }), 'news-2');
    const refused = await person.patch(`pages/${id}`, { urlname: 'news' }, ANY);
    assert.deepEqual(refused.json.error.fields, [{ field: 'urlname', code: 'taken' }]);
    const wrong = await person.patch(`pages/${id}`, { name: ' ', customDate: 9e15, bodyFormat: '' }, ANY);
    assert.deepEqual(wrong.json.error.fields, [
      { field: 'name', code: 'blank' },
      { field: 'customDate', code: 'not_a_date' },
      { field: 'bodyFormat', code: 'blank' },
    ]);
    assert.deepEqual((await person.patch(`pages/${id}`, { name: 'News' }, ANY)).json.error.fields, [
      { field: 'name', code: 'taken' },
    ]);
  });

  test('a change of an outdated version is refused with the present page, and one without a version, too', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const id = await makePage(db, accountId, { userId, name: 'News' });
    const { etag } = (await person.get(`pages/${id}`)).headers;
    await person.patch(`pages/${id}`, { body: 'Theirs' }, { 'If-Match': etag });
    const late = await person.patch(`pages/${id}`, { body: 'Mine' }, { 'If-Match': etag });
    assert.equal(late.status, 412);
    assert.equal(late.json.error.code, 'outdated');
    assert.equal(late.json.error.message, 'The owner has changed the page in the meantime.');
    assert.equal(late.json.current.body, 'Theirs');
    assert.equal((await person.patch(`pages/${id}`, { body: 'x' }, { 'If-Match': 'today' })).status, 400);
    const blind = await person.patch(`pages/${id}`, { body: 'x' });
    assert.deepEqual([blind.status, blind.json.error.code], [428, 'if_match_needed']);
    assert.equal((await person.get(`pages/${id}`)).json.body, 'Theirs');
  });

  test('an invalid parent in the query is refused, and a parent that does not exist has no children', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    assert.equal((await person.get('pages?parent=x')).status, 400);
    assert.deepEqual((await person.get('pages?parent=12345&limit=0')).outcome, [200, { pages: [], total: 0 }]);
  });
});

function namesOf({ pages }: { pages: { name: string }[] }): string[] {
  return pages.map(({ name }) => name);
}
