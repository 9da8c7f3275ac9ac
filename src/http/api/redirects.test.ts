import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { startWithSite } from '../../../test/visit.ts';

const done = { response: true, errors: [] };
const missing = { response: false, errors: 'The redirect does not exist.' };

onEachDatabase('redirects over the API', (open) => {
  test('a path redirects to its page, also after the page moves, until the redirect is removed', async (t) => {
    const { add, list, send, at, pages } = await setUp(t, open);
    const [home, team] = pages;
    const { id } = await add('/About-Us.HTML/', team!.id);
    assert.deepEqual(await list(), [{ id, path: '/about-us.html', page_id: team!.id, url: '/team' }]);
    assert.deepEqual(await at('/about-us.html'), [301, '/team']);

    await send('PATCH', `pages/${team!.id}.json?page[urlname]=people`);
    assert.deepEqual(await at('/about-us.html'), [301, '/people']);
    // The former URL of the page is also a redirect.
    const [first, second] = await list(`?page_id=${team!.id}`);
    assert.deepEqual([first!.id, second!.path, second!.url], [id, '/team', '/people']);
    assert.deepEqual(await list(`?page_id=${home!.id}`), []);

    // The latest redirect of a path is used.
    const { id: newer, former_page_id: former } = await add('/about-us.html', home!.id);
    assert.equal(former, team!.id);
    assert.equal((await add('/about-us.html', home!.id)).former_page_id, null);
    assert.deepEqual(await at('/about-us.html'), [301, '/']);
    assert.deepEqual((await send('DELETE', `redirects/${newer}.json`)).json, done);
    assert.deepEqual(await at('/about-us.html'), [301, '/people']);
    assert.deepEqual((await send('DELETE', `redirects/${id}.json`)).json, done);
    assert.equal((await at('/about-us.html'))[0], 404);
    assert.deepEqual((await send('DELETE', `redirects/${id}.json`)).json, missing);
  });

  test('the path of a redirect may have a query and letters of all scripts', async (t) => {
    const { add, list, at, pages } = await setUp(t, open);
    const team = pages[1]!.id;
    for (const path of ['/index.php?page=3', '/caf%C3%A9', '/Über_uns']) await add(path, team);
    assert.deepEqual(
      (await list()).map(({ path }) => path),
      ['/index.php?page=3', '/café', '/über_uns'],
    );
    for (const path of ['/index.php?page=3', '/caf%C3%A9', '/%C3%9Cber_uns'])
      assert.deepEqual(await at(path), [301, '/team']);
  });

  test('the answer names the former page of the path, also without an id and on a retry', async (t) => {
    const { add, send, pages } = await setUp(t, open);
    await add('/old', pages[0]!.id);
    const body = JSON.stringify({ redirect: { path: '/old', page_id: pages[1]!.id } });
    const expected = { ...done, former_page_id: pages[0]!.id };
    for (let attempt = 0; attempt < 2; attempt++) {
      assert.deepEqual((await send('POST', 'redirects.json', body, { 'Idempotency-Key': 'again' })).json, expected);
    }
  });

  test('the redirect of a page in the trash leads nowhere, and works again after the page is restored', async (t) => {
    const { add, list, send, at, pages } = await setUp(t, open);
    const team = pages[1]!.id;
    await add('/old', team);
    await send('DELETE', `pages/${team}.json`);
    assert.deepEqual([(await list())[0]!.url, (await at('/old'))[0]], [null, 404]);
    await send('POST', `pages/${team}/restore.json`);
    assert.deepEqual([(await list())[0]!.url, await at('/old')], ['/team', [301, '/team']]);
  });

  test('redirects are listed in parts, ordered by their pages', async (t) => {
    const { add, list, listPart, pages } = await setUp(t, open);
    const paths = ['/a', '/b', '/c', '/d', '/e'];
    // Add them to two pages alternately.
    for (const [index, path] of paths.entries()) await add(path, pages[index % 2]!.id);
    const all = await list();
    assert.deepEqual(
      all.map(({ path }) => path),
      ['/a', '/c', '/e', '/b', '/d'],
    );
    const parts: typeof all = [];
    let next: string | null = '0-0';
    while (next !== null) {
      const part = await listPart(`?limit=2&after=${next}`);
      assert.ok(part.redirects.length <= 2);
      parts.push(...part.redirects);
      next = part.next;
    }
    assert.deepEqual(parts, all);
    // Adding an existing redirect again adds no second one.
    await add('/a', pages[0]!.id);
    assert.equal((await list()).length, 5);
  });

  test('invalid paths and unknown pages are refused together', async (t) => {
    const { db, send, list } = await setUp(t, open);
    const other = await makeAccount(db);
    const theirs = await makePage(db, other.accountId, { userId: other.userId });
    const noPath = ['path', 'is not a path like /old-page'];
    const noPage = ['page_id', 'does not exist'];
    const served =
      'is a path that every site serves itself, such as /robots.txt or an image, so that nobody would be redirected';
    const blank = "can't be blank";
    for (const [path, pageId, errors] of [
      [
        '',
        '',
        [
          ['path', blank],
          ['page_id', blank],
        ],
      ],
      ['old', 'x', [noPath, noPage]],
      ['/', 'page_999999', [noPath]],
      ['/../x', '1', [noPath]],
      ['https://example.com/', '1', [noPath]],
      ['/a b', '1', [noPath]],
      ['/caf%E9', '1', [noPath]],
      ['/feed.xml', '1', [['path', served]]],
      ['/media/photo.jpg', '1', [['path', served]]],
      [`/${'x'.repeat(20_000)}`, '1', [noPath]],
      ['/old', `page_${theirs}`, [noPage]],
    ] as const) {
      const body = JSON.stringify({ redirect: { path, page_id: pageId } });
      const { status, json } = await send('POST', 'redirects.json', body);
      assert.deepEqual([path.slice(0, 20), status, json.errors], [path.slice(0, 20), 422, errors]);
    }
    assert.equal((await send('POST', 'redirects.json', '{}')).status, 400);
    for (const query of ['page_id=x', 'after=1', 'limit=0', 'limit=501', 'after=1-1&after=1-2']) {
      assert.equal((await send('GET', `redirects.json?${query}`)).status, 400, query);
    }
    assert.deepEqual(await list(), []);
  });

  test("another account's redirects are not found, and cannot be removed", async (t) => {
    const { db, add, send, list, service, pages } = await setUp(t, open);
    const { id } = await add('/old', pages[0]!.id);
    const { key } = await makeAccount(db);
    const headers = { Authorization: `Bearer ${key}` };
    const reply = await service.request('DELETE', `/api/redirects/${id}.json`, { headers });
    assert.deepEqual([reply.status, reply.json], [404, missing]);
    assert.deepEqual((await service.get('/api/redirects.json', key)).json, { redirects: [], next: null });
    for (const wrong of ['redirect_999999', 'page_1']) {
      assert.deepEqual((await send('DELETE', `redirects/${wrong}.json`)).json, missing);
    }
    assert.equal((await list()).length, 1);
  });

  test('the audit events of redirects name the path, the page and the key', async (t) => {
    const { db, add, send, pages } = await setUp(t, open);
    const page = pages[0]!.id;
    const { id } = await add('/old', page);
    await send('DELETE', `redirects/${id}.json`);
    const events = await db
      .selectFrom('audit_log')
      .select(['action', 'subject', 'details', 'api_key_id'])
      .where('action', 'in', ['redirect.added', 'redirect.removed'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      events.map(({ action, subject, details, api_key_id: keyId }) => [
        action,
        subject,
        JSON.parse(details),
        keyId !== null,
      ]),
      ['redirect.added', 'redirect.removed'].map((action) => [action, id, { path: '/old', page }, true]),
    );
  });
});

interface RedirectJson {
  id: string;
  path: string;
  page_id: string;
  url: string | null;
}

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithSite(t, open, ['Home', 'Team']);
  const { service, key, visit } = started;
  const send = (method: string, end: string, body?: string, headers: Record<string, string> = {}) =>
    service.request(method, `/api/${end}`.replaceAll('[', '%5B').replaceAll(']', '%5D'), {
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
  const listPart = async (query: string): Promise<{ redirects: RedirectJson[]; next: string | null }> =>
    (await send('GET', `redirects.json${query}`)).json;
  return {
    ...started,
    pages: await service.pages(key),
    send,
    listPart,
    list: async (query = '') => (await listPart(query)).redirects,
    add: async (path: string, pageId: string): Promise<{ id: string; former_page_id: string | null }> => {
      const body = JSON.stringify({ redirect: { path, page_id: pageId } });
      const { json } = await send('POST', 'redirects.json', body, { Prefer: 'return=representation' });
      assert.equal(json.response, true, JSON.stringify(json));
      return json;
    },
    at: async (path: string) => {
      const { status, headers } = await visit(path);
      return [status, headers.location];
    },
  };
}
