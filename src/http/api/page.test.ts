import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makePage } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';
import { deletePage } from '../../pages/delete-page.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const done = { response: true, errors: [] };
const notFound = { response: false, errors: 'The page does not exist.' };
const nothingToUndo = {
  response: false,
  errors: 'The page does not exist, or has no change that can be undone.',
};
const notInTrash = { response: false, errors: 'The page is not in the trash.' };

onEachDatabase('one page over the API', (open) => {
  test('a single page has the fields of the list and an ETag', async (t) => {
    const { service, key, page, send } = await setUp(t, open);
    await service.createPage(key, { name: 'Team', parent_id: page.id, is_hidden: '1', description: 'All of us' });
    const [parent] = await service.pages(key);
    const { children: none, ...listed } = parent!.children[0]!;
    const reply = await send('GET', `${listed.id}.json`);
    assert.deepEqual([reply.status, reply.json, none], [200, { page: { ...listed, is_published: true } }, []]);
    assert.equal(reply.headers['cache-control'], 'private, no-cache');
    const again = await send('GET', `${listed.id}.json`, undefined, { 'If-None-Match': reply.headers.etag! });
    assert.deepEqual([again.status, again.text], [304, '']);
    const short = await send('GET', `${listed.id.replace('page_', '')}.json`);
    assert.equal(short.text, reply.text);
    const head = await send('HEAD', `${listed.id}.json`);
    assert.deepEqual([head.status, head.text, head.headers.etag], [200, '', reply.headers.etag]);
  });

  test('another account’s pages are not found and cannot be changed', async (t) => {
    const { db, send } = await setUp(t, open);
    const other = await makeAccount(db);
    const theirs = await makePage(db, other.accountId, { userId: other.userId, name: 'Theirs' });
    const trashed = await makePage(db, other.accountId, { userId: other.userId, name: 'Trashed' });
    await db.transaction().execute((trx) => deletePage(trx, other.accountId, trashed, actor(other.userId)));
    for (const id of [`page_${theirs}`, 'page_999999', 'page_0', 'user_1', `page_${trashed}`]) {
      for (const [method, path] of [
        ['GET', `${id}.json`],
        ['PATCH', `${id}.json`],
        ['DELETE', `${id}.json`],
        ['POST', `${id}/restore.json`],
        ['POST', `${id}/undo.json`],
      ] as const) {
        const reply = await send(method, path, method === 'PATCH' ? 'page[name]=Ours' : undefined, form);
        const isId = method === 'POST' && /^page_[1-9]/.test(id);
        const expected = path.endsWith('undo.json') ? nothingToUndo : notInTrash;
        assert.deepEqual([path, reply.status, reply.json], [path, 404, isId ? expected : notFound]);
      }
    }
    const rows = await db.selectFrom('pages').select('name').where('account_id', '=', other.accountId).execute();
    assert.deepEqual(
      rows.map(({ name }) => name),
      ['Theirs'],
    );
  });

  test('repeated undo reverts the changes of a page one by one, the latest first', async (t) => {
    const { db, service, key, accountId, page, send } = await setUp(t, open);
    await service.createPage(key, { name: 'Second' });
    const states: unknown[] = [];
    const state = async () => {
      const { json } = await send('GET', `${page.id}.json`);
      const { name, urlname, body, is_hidden, position, is_published } = json.page ?? {};
      return [name, urlname, body, is_hidden, position, is_published];
    };
    const change = async (method: string, end: string, body = '') => {
      states.push(await state());
      assert.deepEqual((await send(method, end, body, form)).json, done);
    };
    await change('PATCH', `${page.id}.json`, 'page[body]=A');
    await change('PATCH', `${page.id}.json`, 'page[position]=2');
    await change('PATCH', `${page.id}.json`, 'page[name]=Other&page[urlname]=');
    await change('PATCH', `${page.id}.json`, 'page[body]=B&page[is_hidden]=yes');
    await change('PATCH', `${page.id}.json`, 'page[is_published]=no');
    await change('POST', `${page.id}/publish.json`);
    await change('DELETE', `${page.id}.json`);
    while (states.length > 0) {
      assert.deepEqual((await send('POST', `${page.id}/undo.json`)).json, done);
      assert.deepEqual(await state(), states.pop());
    }
    const none = await send('POST', `${page.id}/undo.json`);
    assert.deepEqual([none.status, none.json], [404, nothingToUndo]);
    const { count } = await db
      .selectFrom('audit_log')
      .select((e) => e.fn.countAll<number>().as('count'))
      .where('account_id', '=', accountId)
      .where('action', '=', 'page.undone')
      .where('api_key_id', 'is not', null)
      .executeTakeFirstOrThrow();
    assert.equal(count, 7);
  });

  test('a request that changes and moves a page is undone in two steps', async (t) => {
    const { service, key, page, send } = await setUp(t, open);
    await service.createPage(key, { name: 'Second' });
    await send('PATCH', `${page.id}.json`, 'page[body]=A&page[position]=2', form);
    const shown = async () => {
      const { body, position } = (await send('GET', `${page.id}.json`)).json.page;
      return [body, position];
    };
    await send('POST', `${page.id}/undo.json`);
    assert.deepEqual(await shown(), ['A', '1']);
    await send('POST', `${page.id}/undo.json`);
    assert.deepEqual(await shown(), [page.body, '1']);
  });

  test('a change is not undone if the page has changed since', async (t) => {
    const { db, accountId, page, send } = await setUp(t, open);
    const { etag } = (await send('GET', `${page.id}.json`)).headers;
    await send('PATCH', `${page.id}.json`, 'page[body]=A', form);
    const refused = await send('POST', `${page.id}/undo.json`, undefined, { 'If-Match': etag! });
    assert.equal(refused.status, 412);
    // Simulate a later change whose undo has expired, as after 30 days.
    await send('PATCH', `${page.id}.json`, 'page[body]=B', form);
    await db.transaction().execute((trx) =>
      trx
        .updateTable('undos')
        .set({ used_at: 1 })
        .where('account_id', '=', accountId)
        .where('id', '=', (e) => e.selectFrom('undos').select((of) => of.fn.max('id').as('last')))
        .execute(),
    );
    const overtaken = await send('POST', `${page.id}/undo.json`);
    assert.deepEqual(
      [overtaken.status, overtaken.json.errors],
      [422, 'This can no longer be undone, because it has been changed since.'],
    );
    assert.equal((await send('GET', `${page.id}.json`)).json.page.body, 'B');
  });

  test('a page can be unpublished and published again', async (t) => {
    const { db, page, send } = await setUp(t, open);
    const isPublished = async () => (await send('GET', `${page.id}.json`)).json.page.is_published;
    assert.equal(await isPublished(), true);
    for (const [value, expected] of [
      ['false', false],
      ['1', true],
    ] as const) {
      const body = `page[is_published]=${value}`;
      assert.deepEqual((await send('PATCH', `${page.id}.json`, body, form)).json, done);
      assert.equal(await isPublished(), expected);
    }
    const events = await db.selectFrom('audit_log').select('action').orderBy('id', 'desc').limit(2).execute();
    assert.deepEqual(
      events.map(({ action }) => action),
      ['page.published', 'page.unpublished'],
    );
    const wrong = await send('PATCH', `${page.id}.json`, 'page[is_published]=perhaps', form);
    assert.deepEqual([wrong.status, wrong.json.errors[0][0]], [422, 'is_published']);
  });

  test('the revisions of a page can be listed in parts, read and restored', async (t) => {
    const { db, key, service, page, send, read } = await setUp(t, open);
    const ask = (path: string, method = 'GET') =>
      service.request(method, `/api/${path}`, { headers: { Authorization: `Bearer ${key}` } });
    for (const body of ['One', 'Two', 'Three']) await send('PATCH', `${page.id}.json`, `page[body]=${body}`, form);
    const list = async (query = '') => (await ask(`pages/${page.id}/revisions.json${query}`)).json;
    const first = await list('?limit=2');
    const second = await list(`?limit=2&before=${first.next}`);
    assert.deepEqual([first.revisions.length, second.revisions.length, second.next], [2, 1, null]);
    const bodies = await Promise.all(
      [...first.revisions, ...second.revisions].map(async ({ id }: { id: string }) => {
        const { revision } = (await ask(`revisions/${id}.json`)).json;
        assert.deepEqual([revision.page_id, revision.published_by], [page.id, 'Olivia Owner']);
        return revision.body;
      }),
    );
    assert.deepEqual(bodies, ['Two', 'One', page.body]);
    assert.deepEqual((await ask(`revisions/${second.revisions[0].id}/restore.json`, 'POST')).json, done);
    assert.equal((await read(page.id)).body, page.body);
    assert.equal((await list()).revisions.length, 4);

    const other = await makeAccount(db);
    const theirs = await makePage(db, other.accountId, { userId: other.userId, name: 'Theirs' });
    assert.equal((await ask(`pages/page_${theirs}/revisions.json`)).status, 404);
    for (const [path, method] of [
      ['revisions/revision_999999.json', 'GET'],
      ['revisions/revision_999999/restore.json', 'POST'],
      ['revisions/page_1.json', 'GET'],
    ] as const) {
      assert.deepEqual((await ask(path, method)).json, { response: false, errors: 'The revision does not exist.' });
    }
    for (const query of ['?limit=0', '?limit=201', '?before=x', '?limit=1&limit=2']) {
      assert.equal((await ask(`pages/${page.id}/revisions.json${query}`)).status, 400, query);
    }
  });

  test('the fields that are sent as form, as JSON or in the query are changed, and the others are not', async (t) => {
    const { page, send, read } = await setUp(t, open);
    const sent = {
      name: ' Über uns ',
      urlname: 'about-us',
      body: '<p>New</p>',
      body_format: 'markdown_format',
      description: 'Us',
      is_hidden: 'true',
      custom_date: '2003-04-09T10:56:03+02:00',
    };
    const reply = await send('PATCH', `${page.id}.json`, JSON.stringify({ page: sent }), {
      'Content-Type': 'application/json',
    });
    assert.deepEqual([reply.status, reply.json], [200, done]);
    const { updated_at, ...changed } = await read(page.id);
    const { updated_at: before, children, ...rest } = page;
    assert.deepEqual(changed, {
      ...rest,
      ...sent,
      name: 'Über uns',
      url: '/about-us',
      is_hidden: true,
      is_published: true,
      custom_date: 'Wed Apr 09 08:56:03 UTC 2003',
    });
    assert.deepEqual([typeof updated_at, typeof before, children], ['string', 'string', []]);
    await send('PATCH', `${page.id}.json`, 'page[is_hidden]=0&page[description]=', form);
    await send('PATCH', `${page.id}.json?page[custom_date]=Thu+Apr+10+08:00:00+UTC+2003`);
    const { is_hidden, description, custom_date, body } = await read(page.id);
    assert.deepEqual(
      [is_hidden, description, custom_date, body],
      [false, null, 'Thu Apr 10 08:00:00 UTC 2003', '<p>New</p>'],
    );
  });

  test('a page can be moved with its sub-pages, below another page and among its siblings', async (t) => {
    const { service, key, page, send } = await setUp(t, open);
    for (const name of ['Blog', 'Contact']) await service.createPage(key, { name });
    const ids = async () => (await service.pages(key)).map(({ name, url }) => [name, url]);
    const [, blog] = await service.pages(key);
    await service.createPage(key, { name: 'Team', parent_id: page.id });
    assert.deepEqual((await send('PATCH', `${page.id}.json`, 'page[position]=3', form)).json, done);
    assert.deepEqual(await ids(), [
      ['Blog', '/blog'],
      ['Contact', '/contact'],
      ['About', '/about'],
    ]);
    await send('PATCH', `${page.id}.json`, `page[parent_id]=${blog!.id}&page[name]=We`, form);
    const [moved] = (await service.pages(key))[0]!.children;
    assert.deepEqual([moved!.url, moved!.children[0]!.url], ['/blog/about', '/blog/about/team']);
    // Moving a page to the parent that it already has changes nothing.
    await service.createPage(key, { name: 'Last', parent_id: blog!.id });
    await send('PATCH', `${page.id}.json`, `page[parent_id]=${blog!.id}`, form);
    const [after] = await service.pages(key);
    assert.deepEqual(
      after!.children.map(({ name }) => name),
      ['We', 'Last'],
    );
    const below = await send('PATCH', `${blog!.id}.json`, `page[parent_id]=${page.id}&page[name]=X`, form);
    assert.deepEqual([below.status, below.json.errors], [422, [['parent_id', 'is the page itself or below it']]]);
    assert.equal((await service.pages(key))[0]!.name, 'Blog', 'the name is not changed either');
  });

  test('an invalid change is refused with every wrong field, and nothing is changed', async (t) => {
    const { page, send, read } = await setUp(t, open);
    const before = await read(page.id);
    const wrong = {
      name: ' ',
      is_hidden: 'perhaps',
      body_format: 'rtf',
      parent_id: 'x',
      position: '0',
      custom_date: '1 May',
    };
    const body = new URLSearchParams(Object.entries(wrong).map(([name, value]) => [`page[${name}]`, value]));
    const { status, json } = await send('PATCH', `${page.id}.json`, body.toString(), form);
    assert.equal(status, 422);
    assert.deepEqual(json, {
      response: false,
      errors: [
        ['name', "can't be blank"],
        ['custom_date', 'is not a date'],
        ['is_hidden', 'is not true or false'],
        ['body_format', 'is not included in the list'],
        ['parent_id', 'does not exist'],
        ['position', 'must be a whole number from 1 to 999999999'],
      ],
    });
    assert.deepEqual(await read(page.id), before);
    for (const [body, headers] of [
      ['name=X', form],
      ['page[nam]=X', form],
      ['{"page":{}}', { 'Content-Type': 'application/json' }],
      [undefined, {}],
    ] as const) {
      const nothing = await send('PATCH', `${page.id}.json`, body, headers);
      assert.equal(nothing.status, 400);
      assert.match(
        String((nothing.json as { errors: string }).errors),
        /^There is nothing to change\. Send at least one of page\[name\], /,
      );
    }
    const twice = await send('PATCH', `${page.id}.json`, 'page[name]=X&page[name]=Y', form);
    assert.deepEqual([twice.status, twice.json], [400, { response: false, errors: 'Invalid format' }]);
  });

  test('a change or deletion with an outdated If-Match is refused', async (t) => {
    const { page, send, read } = await setUp(t, open);
    const etag = async () => (await send('GET', `${page.id}.json`)).headers.etag!;
    const first = await etag();
    assert.equal(
      (await send('PATCH', `${page.id}.json`, 'page[body]=One', { ...form, 'If-Match': first })).status,
      200,
    );
    for (const [method, body] of [
      ['PATCH', 'page[body]=Two'],
      ['DELETE', undefined],
    ] as const) {
      const refused = await send(method, `${page.id}.json`, body, { ...form, 'If-Match': first });
      const errors = 'Olivia Owner has changed the page in the meantime.';
      assert.deepEqual([refused.status, refused.json], [412, { response: false, errors }]);
      const odd = await send(method, `${page.id}.json`, body, { ...form, 'If-Match': '"7"' });
      assert.deepEqual([odd.status, odd.json.errors], [422, 'If-Match must be the ETag of the page.']);
    }
    assert.equal((await read(page.id)).body, 'One');
    assert.equal((await send('PATCH', `${page.id}.json`, 'page[body]=3', { ...form, 'If-Match': '*' })).status, 200);
    assert.equal((await send('DELETE', `${page.id}.json`, undefined, { 'If-Match': await etag() })).status, 200);
  });

  test('a deleted page is restored with its sub-pages, and the audit events name the key', async (t) => {
    const { service, db, accountId, key, page, send } = await setUp(t, open);
    await service.createPage(key, { name: 'Team', parent_id: page.id });
    const before = await service.pages(key);
    assert.deepEqual((await send('DELETE', `${page.id}.json`)).json, done);
    assert.deepEqual([await service.pages(key), (await send('GET', `${page.id}.json`)).status], [[], 404]);
    assert.deepEqual((await send('POST', `${page.id}/restore.json`)).json, done);
    assert.deepEqual(await service.pages(key), before);
    const again = await send('POST', `${page.id}/restore.json`);
    assert.deepEqual([again.status, again.json], [404, notInTrash]);
    const rows = await db
      .selectFrom('audit_log')
      .select(['action', 'actor', 'ip', 'api_key_id'])
      .where('account_id', '=', accountId)
      .where('action', 'in', ['page.deleted', 'page.undone'])
      .orderBy('id')
      .execute();
    const keyId = (await db.selectFrom('api_keys').select('id').where('account_id', '=', accountId).execute())[0]!.id;
    const common = { actor: 'Olivia Owner', ip: '127.0.0.1', api_key_id: keyId };
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { action: 'page.deleted', ...common },
        { action: 'page.undone', ...common },
      ],
    );
  });

  test('a change that is retried with its Idempotency-Key is made once, and the key is bound to the page', async (t) => {
    const { service, db, accountId, key, page, send } = await setUp(t, open);
    await service.createPage(key, { name: 'Blog' });
    const [, blog] = await service.pages(key);
    const headers = { ...form, 'Idempotency-Key': 'k1' };
    const change = (id: string) => send('PATCH', `${id}.json`, 'page[body]=New', headers);
    assert.deepEqual([(await change(page.id)).json, (await change(page.id)).json], [done, done]);
    const other = await change(blog!.id);
    assert.deepEqual(
      [other.status, other.json.errors],
      [422, [['idempotency_key', 'has already been used for a different request']]],
    );
    const { length } = await db
      .selectFrom('audit_log')
      .select('id')
      .where('account_id', '=', accountId)
      .where('action', '=', 'page.changed')
      .execute();
    assert.equal(length, 1);
  });

  test('a large page can be read, changed, deleted and restored', async (t) => {
    const { page, send, read } = await setUp(t, open);
    const body = 'ä'.repeat(600_000);
    const sent = await send('PATCH', `${page.id}.json`, JSON.stringify({ page: { body } }), {
      'Content-Type': 'application/json',
    });
    assert.deepEqual([sent.status, sent.json], [200, done]);
    assert.equal((await read(page.id)).body, body);
    assert.deepEqual((await send('PATCH', `${page.id}.json`, 'page[name]=Long', form)).json, done);
    assert.deepEqual((await send('DELETE', `${page.id}.json`)).json, done);
    assert.deepEqual((await send('POST', `${page.id}/restore.json`)).json, done);
    assert.equal((await read(page.id)).name, 'Long');
  });
});

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, key } = started;
  await service.createPage(key, { name: 'About' });
  const [page] = await service.pages(key);
  const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    service.request(method, `/api/pages/${path}`, {
      headers: { Authorization: `Bearer ${key}`, ...headers },
      ...(body !== undefined && { body }),
    });
  const read = async (id: string) => (await send('GET', `${id}.json`)).json.page;
  return { ...started, page: page!, send, read };
}
