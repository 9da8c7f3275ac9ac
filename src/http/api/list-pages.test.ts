import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { flatten, type PageJson, startService, startWithAccount } from '../../../test/service.ts';
import { keyFinder } from '../../api-keys/find-api-key.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { readConfig } from '../../config.ts';
import { raiseContentVersion } from '../../tenancy/content-version.ts';
import type { RequestContext } from '../request-context.ts';
import type { ApiDependencies } from './dependencies.ts';
import { listPagesOperation } from './list-pages.ts';

const PAGE_TIME =
  /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun) (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d \d\d:\d\d:\d\d UTC \d{4}$/;
const path = '/api/pages.json';

onEachDatabase('listing all pages', (open) => {
  test('the list has one member pages, which is an empty array for an account without pages', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const reply = await service.get(path, key);
    assert.equal(reply.text, '{"pages":[]}');
    assert.equal(reply.status, 200);
    assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(reply.headers['cache-control'], 'private, no-cache');
    assert.equal(reply.headers['content-length'], '12');
  });

  test('every page has the sixteen fields of the specification in their types and formats', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const before = Math.floor(Date.now() / 1000) * 1000;
    await service.createPage(key, { name: 'About "us"', body: '<p>Hi</p>', description: 'Who we are' });
    const [root] = await service.pages(key);
    await service.createPage(key, {
      name: 'Team',
      parent_id: root!.id,
      is_hidden: '1',
      body_format: 'markdown_format',
    });
    const { json } = await service.get(path, key);
    assert.deepEqual(Object.keys(json), ['pages']);
    const pages: PageJson[] = [...flatten(json.pages)];
    assert.equal(pages.length, 2);
    for (const page of pages) {
      assert.deepEqual(Object.keys(page), [
        'id',
        'name',
        'urlname',
        'body',
        'created_at',
        'created_by',
        'updated_at',
        'updated_by',
        'parent_id',
        'position',
        'url',
        'is_hidden',
        'description',
        'body_format',
        'custom_date',
        'children',
      ]);
      assert.match(page.id, /^page_[1-9]\d*$/);
      for (const time of [page.created_at, page.updated_at, page.custom_date]) {
        assert.match(time, PAGE_TIME);
        assert.ok(Date.parse(time) >= before && Date.parse(time) <= Date.now(), time);
      }
      assert.match(page.position, /^[1-9]\d*$/);
      assert.equal(typeof page.is_hidden, 'boolean');
      assert.ok(Array.isArray(page.children));
      assert.equal(page.created_by, 'Olivia Owner');
      assert.equal(page.updated_by, 'Olivia Owner');
    }
    const { children, created_at, updated_at, custom_date, ...about } = pages[0]!;
    assert.equal(children.length, 1);
    assert.deepEqual([updated_at, custom_date], [created_at, created_at]);
    assert.deepEqual(about, {
      id: root!.id,
      name: 'About "us"',
      urlname: 'about-us',
      body: '<p>Hi</p>',
      created_by: 'Olivia Owner',
      updated_by: 'Olivia Owner',
      parent_id: '0',
      position: '1',
      url: '/about-us',
      is_hidden: false,
      description: 'Who we are',
      body_format: 'wysiwyg_format',
    });
    const team = pages[1]!;
    assert.deepEqual(
      [team.parent_id, team.position, team.url, team.is_hidden, team.description, team.body_format, team.children],
      [root!.id, '1', '/about-us/team', true, null, 'markdown_format', []],
    );
  });

  test('times are in UTC with weekday, month and two-digit day, also before 1970', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Old' });
    await setPages(db, accountId, {
      custom_date: Date.UTC(2003, 3, 9, 8, 56, 3),
      updated_at: Date.UTC(1969, 11, 31, 23, 59, 59),
    });
    const [page] = await service.pages(key);
    assert.equal(page!.custom_date, 'Wed Apr 09 08:56:03 UTC 2003');
    assert.equal(page!.updated_at, 'Wed Dec 31 23:59:59 UTC 1969');
  });

  test('body_format is an empty string for pages that were imported without one', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Old' });
    await setPages(db, accountId, { body_format: '' });
    assert.equal((await service.pages(key))[0]!.body_format, '');
  });

  test('the list has all root-level pages, including hidden ones, with their descendants in children', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const ids = new Map<string, string>([['', '']]);
    for (const [name, parent, hidden] of [
      ['a', '', 'false'],
      ['b', '', 'true'],
      ['c', 'b', 'true'],
      ['d', 'a', 'false'],
      ['e', 'b', 'false'],
      ['f', 'c', 'false'],
      ['g', '', 'false'],
    ] as const) {
      await service.createPage(key, { name, parent_id: ids.get(parent)!, is_hidden: hidden });
      for (const page of flatten(await service.pages(key))) ids.set(page.name, page.id);
    }
    const shape = (pages: PageJson[]): unknown[] =>
      pages.map((page) => [page.url, page.position, page.is_hidden, shape(page.children)]);
    assert.deepEqual(shape(await service.pages(key)), [
      ['/a', '1', false, [['/a/d', '1', false, []]]],
      [
        '/b',
        '2',
        true,
        [
          ['/b/c', '1', true, [['/b/c/f', '1', false, []]]],
          ['/b/e', '2', false, []],
        ],
      ],
      ['/g', '3', false, []],
    ]);
  });

  test('the list has only the pages of the key’s account', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    await makePage(db, other.accountId, { name: 'Theirs', userId: other.userId });
    await service.createPage(key, { name: 'Ours' });
    assert.deepEqual(
      (await service.pages(key)).map(({ name }) => name),
      ['Ours'],
    );
    assert.deepEqual(
      (await service.pages(other.key)).map(({ name }) => name),
      ['Theirs'],
    );
  });

  test('text with any characters is returned unchanged', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const text = `"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028\u2029\ufeff\ufffd😀</script>é`;
    await service.createPage(key, { name: `n${text}n`, body: text, description: text });
    const reply = await service.get(path, key);
    const [page] = reply.json.pages;
    assert.deepEqual([page.name, page.body, page.description], [`n${text}n`, text, text]);
    assert.equal(Number(reply.headers['content-length']), reply.bytes.length);
  });

  test('a list the client already has is answered with 304, and every creation changes its ETag', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const tags = new Set<string>();
    for (const name of ['a', 'b', 'c']) {
      await service.createPage(key, { name });
      const { headers } = await service.get(path, key);
      const etag = headers.etag!;
      assert.match(etag, /^W\/"[^"]+"$/);
      tags.add(etag);
      for (const known of [etag, etag.slice(2), `"x", ${etag}`, `${etag} , "y"`, '*']) {
        const reply = await service.get(path, key, { 'If-None-Match': known });
        assert.equal(reply.status, 304, known);
        assert.equal(reply.bytes.length, 0);
        assert.equal(reply.headers.etag, etag);
        assert.equal(reply.headers['cache-control'], 'private, no-cache');
        assert.equal(reply.headers.vary, 'Accept-Encoding');
      }
      for (const other of ['"x"', etag.toUpperCase().toLowerCase().replace('w/', 'W/x'), '']) {
        assert.equal((await service.get(path, key, { 'If-None-Match': other })).status, 200, other);
      }
    }
    assert.equal(tags.size, 3);
    const before = await service.get(path, key);
    assert.equal((await service.createPage(key, { name: 'a' })).status, 422);
    assert.equal((await service.createPage(key, { name: 'd' })).status, 200);
    assert.equal((await service.get(path, key, { 'If-None-Match': before.headers.etag })).status, 200);
  });

  test('two accounts with equal lists have different ETags', async (t) => {
    const { service, key, db } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    assert.notEqual((await service.get(path, key)).headers.etag, (await service.get(path, other.key)).headers.etag);
  });

  test('clients that accept gzip or brotli get the same list compressed', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Long', body: 'All work and no play. '.repeat(500) });
    const plain = await service.get(path, key);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Accept-Encoding');
    const unpack = { gzip: gunzipSync, br: brotliDecompressSync };
    for (const [accepted, expected] of [
      ['gzip', 'gzip'],
      ['br', 'br'],
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0.5', 'gzip'],
      ['GZIP', 'gzip'],
      ['br;q=0, gzip', 'gzip'],
      ['*', 'br'],
      ['identity', undefined],
      ['gzip;q=0', undefined],
      ['deflate, zstd', undefined],
      ['', undefined],
      ['gzip;q=x', undefined],
    ] as const) {
      const reply = await service.get(path, key, { 'Accept-Encoding': accepted });
      assert.equal(reply.headers['content-encoding'], expected, accepted);
      assert.equal(reply.headers.etag, plain.headers.etag);
      assert.equal(Number(reply.headers['content-length']), reply.bytes.length);
      const bytes = expected ? unpack[expected](reply.bytes) : reply.bytes;
      assert.ok(bytes.equals(plain.bytes), accepted);
      const known = await service.get(path, key, { 'Accept-Encoding': accepted, 'If-None-Match': reply.headers.etag });
      assert.equal(known.status, 304);
    }
  });

  test('HEAD on the page list returns the headers of GET and no body', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    await service.createPage(key, { name: 'Long', body: 'x'.repeat(5000) });
    for (const encoding of ['identity', 'gzip', 'br']) {
      const headers = { 'Accept-Encoding': encoding };
      const get = await service.get(path, key, headers);
      const head = await service.request('HEAD', `${path}?api_key=${key}`, { headers });
      assert.equal(head.bytes.length, 0);
      assert.deepEqual(comparable(head.headers), comparable(get.headers));
    }
  });

  test('a list too large for memory is complete: plain, compressed, after a change and for many clients', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const body = `<p>${'large '.repeat(170_000)}</p>`;
    for (let index = 0; index < 9; index++) await makePage(db, accountId, { name: `Page ${index}`, body, userId });
    const replies = await Promise.all(Array.from({ length: 4 }, () => service.get(path, key)));
    for (const reply of replies) assert.ok(reply.bytes.equals(replies[0]!.bytes));
    assert.ok(replies[0]!.bytes.length > 8 * 1024 * 1024);
    const pages: PageJson[] = replies[0]!.json.pages;
    assert.deepEqual(
      pages.map(({ name }) => name),
      Array.from({ length: 9 }, (_, index) => `Page ${index}`),
    );
    assert.ok(pages.every((page) => page.body === body));
    const zipped = await service.get(path, key, { 'Accept-Encoding': 'gzip' });
    assert.ok(gunzipSync(zipped.bytes).equals(replies[0]!.bytes));
    const brotliOnly = await service.get(path, key, { 'Accept-Encoding': 'br' });
    assert.ok(brotliOnly.headers['content-encoding'] === undefined && brotliOnly.bytes.equals(replies[0]!.bytes));
    // A client that disconnects in the middle must not affect the others.
    const leave = connect(service.port, '127.0.0.1');
    leave.write(`GET ${path}?api_key=${key} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n`);
    const staying = service.get(path, key);
    await once(leave, 'data');
    leave.destroy();
    assert.ok((await staying).bytes.equals(replies[0]!.bytes));
    const head = await service.request('HEAD', `${path}?api_key=${key}`);
    assert.equal(Number(head.headers['content-length']), replies[0]!.bytes.length);
    await service.createPage(key, { name: 'One more' });
    const after = await service.pages(key);
    assert.equal(after.length, 10);
    assert.equal(after[9]!.position, '10');
  });

  test('a page is listed by every process as soon as its creation has been answered', async (t) => {
    const { service, key, database } = await startWithAccount(t, open);
    const other = await startService(t, database);
    for (let index = 1; index <= 20; index++) {
      const creator = index % 2 ? service : other;
      await creator.createPage(key, { name: `Page ${index}` });
      const [here, there] = await Promise.all([service.get(path, key), other.get(path, key)]);
      assert.equal(here.json.pages.length, index);
      assert.equal(there.text, here.text);
      assert.equal(there.headers.etag, here.headers.etag);
    }
  });

  test('a list read while pages are being created is always consistent, and never loses a page', async (t) => {
    const { service, key, database } = await startWithAccount(t, open);
    const other = await startService(t, database);
    await service.createPage(key, { name: 'Root' });
    const [root] = await service.pages(key);
    let done = false;
    const creating = Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        (index % 2 ? service : other).createPage(key, { name: `Page ${index}`, parent_id: index % 3 ? root!.id : '' }),
      ),
    ).finally(() => {
      done = true;
    });
    const watch = async (reader: typeof service) => {
      let most = 0;
      while (!done) {
        const pages = await reader.pages(key);
        for (const siblings of [pages, pages[0]!.children]) {
          assert.ok(siblings.every(({ position }, index) => position === String(index + 1)));
        }
        const count = [...flatten(pages)].length;
        assert.ok(count >= most, `${count} pages after ${most}`);
        most = count;
      }
    };
    await Promise.all([creating, watch(service), watch(other), watch(service)]);
    assert.equal([...flatten(await other.pages(key))].length, 61);
    assert.equal((await service.get(path, key)).text, (await other.get(path, key)).text);
  });

  test('the pages of an account with thousands of them are all listed, in order', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const first = await makePage(db, accountId, { name: 'First', userId });
    const [template] = await db.selectFrom('pages').selectAll().execute();
    const { id: _, ...values } = template!;
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('accounts')
        .set((e) => ({ content_version: e('content_version', '+', 1) }))
        .execute();
      for (let from = 0; from < 2600; from += 100) {
        const rows = Array.from({ length: 100 }, (__, offset) => {
          const number = from + offset;
          const place = number < 1300 ? { parent_id: first, position: number + 1 } : { position: number - 1300 + 2 };
          return { ...values, ...place, name: `Page ${number}`, urlname: `page-${number}` };
        });
        await trx.insertInto('pages').values(rows).execute();
      }
    });
    const pages = await service.pages(key);
    assert.deepEqual(
      pages.map(({ name }) => name),
      ['First', ...Array.from({ length: 1300 }, (__, index) => `Page ${index + 1300}`)],
    );
    assert.deepEqual(
      pages[0]!.children.map(({ position, url }) => `${position} ${url}`),
      Array.from({ length: 1300 }, (__, index) => `${index + 1} /first/page-${index}`),
    );
  });

  test('with fields, each page has only these, in the usual order, and its children', async (t) => {
    const { service, key } = await startWithTree(t, open);
    const { text } = await service.get(path, `${key}&fields=url,%20id,url`);
    const { pages: whole } = (await service.get(path, key)).json;
    assert.equal(text, JSON.stringify({ pages: selected(whole, ['id', 'url']) }));
    const { text: bare } = await service.get(path, `${key}&fields=children`);
    assert.equal(bare, JSON.stringify({ pages: selected(whole, []) }));
  });

  test('with depth, deeper pages are omitted, and so is children of pages whose sub-pages are omitted', async (t) => {
    const { service, key } = await startWithTree(t, open);
    const shape = (pages: PageJson[] | undefined): unknown =>
      pages?.map(({ url, children }) => [url, shape(children) ?? 'more']);
    const shapeOf = async (depth: number) => shape((await service.get(path, `${key}&depth=${depth}`)).json.pages);
    assert.deepEqual(await shapeOf(1), [
      ['/a', 'more'],
      ['/b', []],
    ]);
    assert.deepEqual(await shapeOf(2), [
      [
        '/a',
        [
          ['/a/c', 'more'],
          ['/a/e', []],
        ],
      ],
      ['/b', []],
    ]);
    for (const depth of [3, 30]) {
      assert.equal((await service.get(path, `${key}&depth=${depth}`)).text, (await service.get(path, key)).text);
    }
  });

  test('after every change, a list with fields and depth matches the whole list without the rest', async (t) => {
    const { service, key } = await startWithTree(t, open);
    const check = async () => {
      const { pages: whole } = (await service.get(path, key)).json;
      for (const names of [['name', 'position'], ['body', 'description', 'parent_id'], ['is_hidden']]) {
        for (const depth of [1, 2, 4]) {
          const { json } = await service.get(path, `${key}&fields=${names}&depth=${depth}`);
          assert.deepEqual(json.pages, selected(upTo(whole, depth), names));
        }
      }
    };
    await check();
    const [a, b] = await service.pages(key);
    await service.createPage(key, { name: 'Below b', parent_id: b!.id, body: 'x' });
    await check();
    await service.request('PATCH', `/api/pages/${a!.id}.json?api_key=${key}&page%5Bposition%5D=2&page%5Bname%5D=A+2`);
    await check();
    await service.request('DELETE', `/api/pages/${a!.children[0]!.id}.json?api_key=${key}`);
    await check();
  });

  test('each selection of fields and depth has its own ETag', async (t) => {
    const { service, key } = await startWithTree(t, open);
    const etags = new Set<string>();
    for (const query of ['', '&fields=id', '&fields=name', '&depth=1', '&depth=2', '&fields=id&depth=1']) {
      const { headers } = await service.get(path, key + query);
      assert.equal((await service.get(path, key + query, { 'If-None-Match': headers.etag! })).status, 304);
      etags.add(headers.etag!);
    }
    assert.equal(etags.size, 6);
  });

  test('only one selection of a large list is kept on disk for each account', {
    skip: !existsSync('/proc/self/fd'),
  }, async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    await makePage(db, accountId, { userId, name: 'Long', body: 'x'.repeat(9 * 1024 * 1024) });
    await makePage(db, other.accountId, { userId: other.userId, name: 'Long', body: 'y'.repeat(9 * 1024 * 1024) });
    const before = await countSpools();
    for (const fields of ['body', 'id,body', 'name,body', 'url,body', 'id,body']) {
      for (const each of [key, other.key]) {
        const { status, json } = await service.get(path, `${each}&fields=${fields}`);
        assert.deepEqual([status, json.pages[0].body.length], [200, 9 * 1024 * 1024]);
      }
    }
    assert.equal((await countSpools()) - before, 2);
  });

  test('the large lists on disk that clients do not read are limited', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    // More than the kernel buffers for a client that reads nothing.
    await makePage(db, accountId, { userId, name: 'Long', body: 'x'.repeat(20 * 1024 * 1024) });
    const names = ['id', 'name', 'url', 'urlname', 'position', 'parent_id', 'created_at', 'updated_at'];
    const unread = names.map(() => connect(service.port, '127.0.0.1'));
    for (const [index, name] of names.entries()) {
      const socket = unread[index]!;
      t.after(() => socket.destroy());
      socket.write(`GET ${path}?api_key=${key}&fields=body,${name} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
      const [head] = await once(socket, 'data');
      assert.match(String(head), /^HTTP\/1.1 200 /);
      socket.pause();
    }
    const another = async () => (await service.get(path, `${key}&fields=body,is_hidden`)).status;
    assert.equal(await another(), 503);
    for (const socket of unread) socket.destroy();
    let status = 503;
    while (status === 503) status = await another();
    assert.equal(status, 200);
  });

  test('a selection of the list is refused if the key was revoked while the request was queued', async (t) => {
    const { db } = await open(t);
    const { accountId, key } = await makeAccount(db);
    const keyOwner = (await keyFinder(db)(key))!;
    const list = listPagesOperation.handler({ db, config: readConfig({}) } as ApiDependencies);
    const ctx = { request: { headers: {} }, query: 'fields=id' } as RequestContext;
    assert.equal((await list(ctx, keyOwner, '')).status, 200);
    await db.transaction().execute(async (trx) => {
      await raiseContentVersion(trx, accountId, Date.now());
      await revokeApiKey(trx, accountId, { keyId: keyOwner.keyId, userId: null });
    });
    const later = { ...keyOwner, contentVersion: keyOwner.contentVersion + 1 };
    await assert.rejects(async () => list(ctx, later, ''), { code: 'unauthorized' });
  });

  test('unknown fields and invalid depths are refused', async (t) => {
    const { service, key } = await startWithTree(t, open);
    const known =
      'id, name, urlname, body, created_at, created_by, updated_at, updated_by, parent_id, position, url, is_hidden, description, body_format, custom_date';
    for (const [query, errors] of [
      [
        'fields=id,secret',
        `"fields" has the name "secret", which no page has. Name some of ${known}, with commas between them.`,
      ],
      ['fields=', `"fields" has the name "", which no page has. Name some of ${known}, with commas between them.`],
      ['fields=id&fields=name', '"fields" is given twice.'],
      ['depth=0', '"depth" must be a whole number from 1 to 30.'],
      ['depth=31', '"depth" must be a whole number from 1 to 30.'],
      ['depth=', '"depth" must be a whole number from 1 to 30.'],
      ['depth=2.5', '"depth" must be a whole number from 1 to 30.'],
    ] as const) {
      const { status, json } = await service.get(path, `${key}&${query}`);
      assert.deepEqual([status, json], [400, { response: false, errors }], query);
    }
  });

  test('unknown query parameters of the list are ignored', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const reply = await service.request('GET', `${path}?callback=x&_=1&page[]=2&x=%zz&api_key=${key}`);
    assert.equal(reply.text, '{"pages":[]}');
  });
});

function comparable({ date: _, 'x-request-id': __, ...headers }: Record<string, unknown>) {
  return headers;
}

function setPages(
  db: Awaited<ReturnType<typeof startWithAccount>>['db'],
  accountId: number,
  values: { custom_date?: number; updated_at?: number; body_format?: '' },
) {
  return db.transaction().execute(async (trx) => {
    const { version } = await trx
      .updateTable('accounts')
      .set((e) => ({ content_version: e('content_version', '+', 1) }))
      .where('id', '=', accountId)
      .returning('content_version as version')
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('pages')
      .set({ ...values, version })
      .where('account_id', '=', accountId)
      .execute();
  });
}

/** Starts a service with the pages a, which has the children c (with the child d) and e, and b. */
async function startWithTree(t: TestContext, open: Parameters<typeof startWithAccount>[1]) {
  const started = await startWithAccount(t, open);
  const { service, key } = started;
  const ids = new Map([['', '']]);
  for (const [name, parent] of [
    ['a', ''],
    ['b', ''],
    ['c', 'a'],
    ['d', 'c'],
    ['e', 'a'],
  ] as const) {
    await service.createPage(key, { name, parent_id: ids.get(parent)!, body: `Text of ${name}` });
    for (const page of flatten(await service.pages(key))) ids.set(page.name, page.id);
  }
  return started;
}

function selected(pages: PageJson[], names: readonly string[]): unknown[] {
  return pages.map(({ children, ...page }) => ({
    ...Object.fromEntries(Object.entries(page).filter(([name]) => names.includes(name))),
    ...(children && { children: selected(children, names) }),
  }));
}

function upTo(pages: PageJson[], depth: number): PageJson[] {
  return pages.map(({ children, ...page }) => {
    const isCut = depth === 1 && children.length > 0;
    return (isCut ? page : { ...page, children: upTo(children, depth - 1) }) as PageJson;
  });
}

/** Returns how many spool files this process has open. */
async function countSpools(): Promise<number> {
  const open = await readdir('/proc/self/fd');
  const targets = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return targets.filter((target) => /\/freehold-\w+\/answer \(deleted\)$/.test(target)).length;
}
