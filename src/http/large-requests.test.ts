import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { beforeClosing, onEachDatabase, openTestDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import { noImages } from '../../test/images.ts';
import { makeUser, Person, signedInAs, tokenFor } from '../../test/person.ts';
import { customerFields, type Reply, startService, startWithAccount } from '../../test/service.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../db/open-database.ts';
import type { AppError } from '../errors.ts';
import { examine } from '../operations/doctor.ts';
import { AccountSemaphore } from '../tenancy/account-semaphore.ts';
import { type Holder, strangerHolderFinder } from '../tenancy/holder.ts';
import { queueLarge, queueLongChange } from './body.ts';
import { LargeRequests } from './large-requests.ts';

/** Longer than a text that the main thread handles. */
const LONG = 'Some “text”. '.repeat(40_000);

onEachDatabase('large requests', (open) => {
  test('large creations are read and stored in another thread, in every encoding', async (t) => {
    const { service, key } = await startWithAccount(t, open, { MAX_URL_BYTES: '2097152' });
    const texts = watchTexts(t);
    const form = (name: string) => String(new URLSearchParams({ 'page[name]': name, 'page[body]': LONG }));
    const multipart = [['name', 'By multipart'] as const, ['body', LONG] as const]
      .map(([field, value]) => `--b\r\nContent-Disposition: form-data; name="page[${field}]"\r\n\r\n${value}\r\n`)
      .join('');
    const bodies = [
      ['application/json', JSON.stringify({ page: { name: 'By JSON', body: LONG } })],
      ['application/x-www-form-urlencoded', form('By form')],
      ['multipart/form-data; boundary=b', `${multipart}--b--`],
    ] as const;
    texts.reset();
    for (const [type, body] of bodies) {
      const reply = await service.request('POST', `/api/pages.json?api_key=${key}`, {
        headers: { 'Content-Type': type },
        body,
      });
      assert.deepEqual(reply.outcome, [200, { response: true, errors: [] }]);
    }
    const byUrl = await service.request('POST', `/api/pages.json?api_key=${key}&${form('By URL')}`);
    assert.deepEqual(byUrl.outcome, [200, { response: true, errors: [] }]);
    assert.equal(texts.longest(), 0);
    texts.stop();
    const pages = await service.pages(key);
    assert.deepEqual(
      pages.map(({ name, body }) => [name, body === LONG]),
      [
        ['By JSON', true],
        ['By form', true],
        ['By multipart', true],
        ['By URL', true],
      ],
    );
  });

  test('a large creation that fails says why, and a repeated one is done once', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const create = (body: string, headers = {}) =>
      service.request('POST', '/api/pages.json', {
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}`, ...headers },
        body,
      });
    const page = JSON.stringify({ page: { name: 'Home', body: LONG } });
    for (let count = 0; count < 2; count++) {
      assert.deepEqual((await create(page, { 'Idempotency-Key': 'a' })).outcome, [200, { response: true, errors: [] }]);
    }
    const taken = { response: false, errors: [['name', 'has already been taken']] };
    assert.deepEqual((await create(page)).outcome, [422, taken]);
    assert.deepEqual((await create(`${page}}`)).outcome, [400, { response: false, errors: 'Invalid format' }]);
    assert.equal((await service.pages(key)).length, 1);
  });

  test('mail that a large customer creation queues is sent without delay', async (t) => {
    let nudges = 0;
    const database = await open(t);
    const service = await startService(t, database, {}, () => nudges++);
    const { key } = await makeAccount(database.db);
    const reply = await service.request('POST', `/api/customers.json?api_key=${key}`, {
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ customer: customerFields(), notes: LONG }),
    });
    assert.deepEqual(reply.outcome, [200, { response: true, errors: null }]);
    assert.equal(nudges, 1);
  });

  test('large texts of the admin app are read and stored in another thread, and previews are sent in pieces', async (t) => {
    const { service, db, accountId, userId, key } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'News', body: 'First' });
    const ann = await signedInAs(service, db, accountId);
    const { version } = (await ann.get(`pages/${id}`)).json;
    const texts = watchTexts(t);
    const send = async (method: string, path: string, value?: object, headers = {}) => {
      const body = value && JSON.stringify(value);
      texts.reset();
      const reply = await service.request(method, `/admin/${path}`, {
        headers: {
          Host: 'localhost',
          Origin: 'http://localhost:8080',
          Cookie: ann.cookie,
          ...(body && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body && { body }),
      });
      assert.equal(texts.longest(), 0, `${method} ${path}`);
      return [reply.status, reply.json] as const;
    };
    const fields = { body: LONG };
    const [status, draft] = await send('PUT', `pages/${id}/draft`, { fields, basedOn: version, draftAt: null });
    assert.deepEqual([status, draft.fields], [200, fields]);
    const [refused, conflict] = await send('PUT', `pages/${id}/draft`, { fields, basedOn: version, draftAt: null });
    assert.deepEqual([refused, conflict.current.draft.fields], [412, fields]);
    const [, read] = await send('GET', `pages/${id}`);
    assert.deepEqual([read.body, read.draft.fields], ['First', fields]);
    const tag = { 'If-Match': `"${version}"` };
    const publication = { fields: { body: `${LONG}2` }, draftAt: draft.updatedAt };
    const [, published] = await send('POST', `pages/${id}/publish`, publication, tag);
    assert.deepEqual([published.page.body === `${LONG}2`, published.page.draft], [true, null]);
    const [, changed] = await send('PATCH', `pages/${id}`, { body: `${LONG}3` }, { 'If-Match': '*' });
    assert.ok(changed.page.body === `${LONG}3`);
    const { revisions } = (await ann.get(`pages/${id}/revisions`)).json;
    const [, revision] = await send('GET', `revisions/${revisions[0].id}`);
    assert.ok(revision.body === `${LONG}2`);
    const [restored] = await send('POST', `revisions/${revisions[0].id}/restore`, undefined, { 'If-Match': '*' });
    assert.equal(restored, 200);
    const [copied, copy] = await send('POST', `pages/${id}/duplicate`);
    assert.deepEqual([copied, copy.page.body === `${LONG}2`], [201, true]);
    const [moved] = await send('POST', `pages/${id}/move`, { parentId: 0, position: 2 });
    assert.equal(moved, 200);
    assert.equal((await ann.delete(`pages/${copy.page.id}`)).status, 200);
    const [made] = await send('POST', 'pages', { name: 'More', body: LONG });
    assert.equal(made, 201);
    const [previewed, { html }] = await send('POST', 'preview', {
      body: `${LONG}🦉"`.repeat(2),
      bodyFormat: 'wysiwyg_format',
    });
    assert.deepEqual([previewed, html.length > 2 * LONG.length, html.split('🦉').length], [200, true, 3]);
    const [malformed] = await send('POST', 'preview', { body: LONG, bodyFormat: 1 });
    assert.equal(malformed, 400);
    texts.stop();
    const changes = (await ann.get('log')).json.entries.map(({ action }: { action: string }) => action);
    assert.ok(changes.includes('page.published') && changes.includes('page.created'), String(changes));
    const listed = await service.pages(key);
    assert.deepEqual(
      listed.map(({ body }) => body.length),
      [LONG.length + 1, LONG.length],
    );
  });

  test('the large answers that an account leaves unread are limited, and other accounts are not affected', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    const read = async (account: { accountId: number; userId: number }, body: string) => {
      const id = await makePage(db, account.accountId, { userId: account.userId, name: 'News', body });
      const { cookie } = await signedInAs(service, db, account.accountId);
      return async () => {
        const options = {
          port: service.port,
          path: `/admin/pages/${id}`,
          headers: { Host: 'localhost', Cookie: cookie },
        };
        const [response] = (await once(httpRequest(options).end(), 'response')) as [IncomingMessage];
        t.after(() => response.destroy());
        return response;
      };
    };
    const readPage = await read({ accountId, userId }, 'a'.repeat(15 * 1024 * 1024));
    const readOther = await read(other, LONG);
    const responses: IncomingMessage[] = [];
    for (let count = 0; count < 6; count++) responses.push(await readPage());
    assert.deepEqual(
      responses.map(({ statusCode }) => statusCode),
      [200, 200, 200, 200, 200, 503],
    );
    assert.equal((await readOther()).statusCode, 200);
    for (const response of responses) response.destroy();
    let status: number | undefined;
    do {
      t.signal.throwIfAborted();
      status = (await readPage()).statusCode;
    } while (status === 503);
    assert.equal(status, 200);
  });

  test('a user who signs out or loses the role while a large page is queued does not get it', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'News', body: LONG });
    const ann = await signedInAs(service, db, accountId);
    const { id: benId } = await makeUser(db, accountId, { role: 'owner' });
    const ben = new Person(service, await tokenFor(db, accountId, benId));
    const arrived = watchTurns(t, accountId);
    const turn = Promise.withResolvers<void>();
    t.after(() => turn.resolve());
    const held = queueLarge(strangerHolderFinder(''), () => turn.promise);
    const reading = [ann, ben].map((person) => person.get(`pages/${id}`));
    await arrived(2);
    assert.equal((await ann.post('sign-out')).status, 204);
    await db
      .transaction()
      .execute((trx) => trx.updateTable('users').set({ role: 'editor' }).where('id', '=', benId).execute());
    turn.resolve();
    await held;
    const statuses = (await Promise.all(reading)).map(({ status }) => status);
    assert.deepEqual(statuses, [401, 403]);
  });
});

onEachDatabase('changes of many pages', (open, kind) => {
  test('changes of many pages are made completely in another thread, and undone there', async (t) => {
    const { db, accountId, person, top, other, children } = await startWithTree(t, open);
    const rows = () =>
      db
        .selectFrom('pages')
        .select(['id', 'parent_id', 'urlname', 'position'])
        .where('account_id', '=', accountId)
        .orderBy('id')
        .execute();
    const before = await rows();
    const writes = watchWrites(t);
    const change = async (method: string, path: string, body?: object) => {
      const { status, json } = await person.send(method, path, body, { 'If-Match': '*' });
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(json)}`);
      return json;
    };
    const undo = async ({ undo }: { undo: number }) => {
      await change('POST', `undo/${undo}`);
      assert.deepEqual(await rows(), before);
    };
    const size = TREE_SIZE;

    const move = { parentId: other, position: 1 };
    assert.equal((await change('POST', `pages/${top}/move`, { ...move, preview: true })).changedAddresses, size);
    const moved = await change('POST', `pages/${top}/move`, move);
    assert.deepEqual([moved.changedAddresses, moved.page.path], [size, '/other/top']);
    await undo(moved);
    const renamed = await change('PATCH', `pages/${top}`, { urlname: 'summit' });
    assert.deepEqual([renamed.changedAddresses, renamed.page.path], [size, '/summit']);
    await undo(renamed);
    const last = await change('POST', `pages/${children[0]}/move`, { parentId: top, position: size });
    assert.equal(last.page.position, children.length);
    await undo(last);
    const deleted = await change('DELETE', `pages/${top}`);
    assert.equal(deleted.deleted, size);
    assert.deepEqual(
      (await rows()).map(({ id, position }) => [id, position]),
      [[other, 1]],
    );
    await undo(deleted);
    const { page } = await change('POST', `pages/${children[0]}/duplicate`);
    assert.equal(page.position, 2);
    if (kind === 'sqlite') assert.ok(writes.most() > 0 && writes.most() <= 500, String(writes.most()));
    writes.stop();
    assert.deepEqual((await examine(db, noImages)).problems, []);
    const events = (await person.get('log')).json.entries.map(({ action }: { action: string }) => action);
    assert.equal(events.filter((action: string) => action === 'page.undone').length, 4);
    assert.equal(events.filter((action: string) => action === 'page.deleted').length, 1);
  });

  test('changes of many pages queue without locking the account, and large requests do not wait for them', async (t) => {
    const { service, db, accountId, person, top, children } = await startWithTree(t, open);
    const reader = await makeAccount(db);
    const long = await makePage(db, reader.accountId, { userId: reader.userId, name: 'Long', body: LONG });
    const ann = await signedInAs(service, db, reader.accountId);
    const arrived = watchTurns(t, accountId);
    const turn = Promise.withResolvers<void>();
    t.after(() => turn.resolve());
    const held = queueLongChange(strangerHolderFinder(''), () => turn.promise);
    const deletion = person.delete(`pages/${top}`);
    await arrived(1);
    assert.equal((await ann.get(`pages/${long}`)).status, 200);
    assert.equal((await person.send('PATCH', `pages/${children[0]}`, { body: 'b' }, { 'If-Match': '*' })).status, 200);
    turn.resolve();
    await held;
    assert.equal((await deletion).json.deleted, TREE_SIZE);
  });

  test('changes of few pages with long texts are also made and undone in another thread', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const part = LONG.slice(0, LONG.length / 4);
    const first = await makePage(db, accountId, { userId, name: 'First' });
    const top = await makePage(db, accountId, { userId, name: 'Top', body: part });
    const child = await makePage(db, accountId, { userId, name: 'Child', body: part, parentId: String(top) });
    const long = await makePage(db, accountId, { userId, name: 'Long', body: LONG });
    const person = await signedInAs(service, db, accountId);
    const change = async (method: string, path: string, body?: object) => {
      const { status, json } = await person.send(method, path, body, { 'If-Match': '*' });
      assert.ok(status < 300, `${method} ${path}: ${status} ${JSON.stringify(json)}`);
      return json;
    };
    const written: string[] = [];
    const mocks = (['run', 'all'] as const).map((name) => {
      const original: (...values: never[]) => unknown = StatementSync.prototype[name];
      return t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: never[]) {
        if (/^\s*(insert into|update|delete from) "?(removed_)?pages\b/.test(this.sourceSQL))
          written.push(this.sourceSQL);
        return original.apply(this, values) as never;
      });
    });
    const { undo: ofFirst } = await change('DELETE', `pages/${first}`);
    await change('POST', `undo/${ofFirst}`);
    // The short page itself was deleted in this thread before the other thread was found to be needed. The long text behind
    // it was not moved.
    assert.deepEqual(
      written.splice(0).filter((statement) => /^\s*update/.test(statement)),
      [],
    );
    const { undo: ofTree, deleted } = await change('DELETE', `pages/${top}`);
    assert.equal(deleted, 2);
    await change('POST', `undo/${ofTree}`);
    const { undo: ofUpdate } = await change('PATCH', `pages/${long}`, { name: 'Longer' });
    assert.equal((await change('POST', `undo/${ofUpdate}`)).page.name, 'Long');
    assert.deepEqual(written, []);
    await change('DELETE', `pages/${child}`);
    for (const { mock } of mocks) mock.restore();
    assert.equal(written.length > 0, kind === 'sqlite');
    assert.deepEqual((await examine(db, noImages)).problems, []);
  });

  test('a refused change of many pages gets the same answer as in the main thread', async (t) => {
    const { person, top, children } = await startWithTree(t, open);
    const below = await person.post(`pages/${top}/move`, { parentId: children[0] });
    assert.deepEqual([below.status, below.json.error.fields], [422, [{ field: 'parentId', code: 'below_itself' }]]);
    const { undo } = (await person.delete(`pages/${top}`)).json;
    assert.equal((await person.post(`undo/${undo}`)).status, 200);
    const again = await person.post(`undo/${undo}`);
    assert.deepEqual([again.status, again.json.error.why], [409, { reason: 'undone_already' }]);
  });
});

test('requests that only read are answered while another thread writes to SQLite', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const service = await startService(t, database);
  const { db, config } = database;
  const { accountId, key } = await makeAccount(db);
  const person = await signedInAs(service, db, accountId);
  // So that the session's last use is due to be recorded.
  await db.transaction().execute((trx) =>
    trx
      .updateTable('sessions')
      .set({ last_seen_at: Date.now() - 120_000 })
      .execute(),
  );
  const writer = await openDatabase(config);
  beforeClosing(t, () => writer.destroy());
  let creation: Promise<Reply>;
  await writer.transaction().execute(async (trx) => {
    await trx.updateTable('accounts').set({ name: 'Changed' }).where('id', '=', accountId).execute();
    creation = service.createPage(key, { name: 'Waits' });
    assert.equal((await person.get('pages')).status, 200);
    assert.deepEqual(await service.pages(key), []);
  });
  assert.equal((await creation!).status, 200);
});

test('after a crash of the thread the client is told to retry, and the next request gets a new thread', async () => {
  const logged: string[] = [];
  const large = new LargeRequests({
    script: new URL('data:text/javascript,process.exit(1)'),
    config: readConfig({}),
    log: { error: (_, message) => void logged.push(message) },
    findHolder: strangerHolderFinder(''),
    onMailQueued: () => {},
    onDamage: () => {},
  });
  for (let count = 1; count <= 2; count++) {
    const busy = (error: AppError) => error.code === 'unavailable';
    await assert.rejects(large.parse('json', Buffer.from('{}')), busy);
    assert.equal(logged.length, count);
  }
  await large.close();
});

/** Returns a function that waits until `count` large requests of the account are queued or have started. */
function watchTurns(t: TestContext, accountId: number): (count: number) => Promise<void> {
  let calls = 0;
  let check = () => {};
  const original: (...values: never[]) => unknown = AccountSemaphore.prototype.run;
  t.mock.method(AccountSemaphore.prototype, 'run', function (this: AccountSemaphore, ...values: unknown[]) {
    const { customerId } = values[1] as Holder;
    if (customerId === accountId) calls += 1;
    check();
    return original.apply(this, values as never[]) as never;
  });
  return (count) =>
    new Promise((resolve) => {
      check = () => calls >= count && resolve();
      check();
    });
}

/** Records the length of the longest text of at least `LONG` that this thread parses, writes as JSON or passes to SQLite. */
function watchTexts(t: TestContext) {
  let longest = 0;
  const record = (value: unknown) => {
    if (typeof value === 'string' && value.length >= LONG.length) longest = Math.max(longest, value.length);
  };
  const { parse, stringify } = JSON;
  const mocks = [
    t.mock.method(JSON, 'stringify', (value: unknown, ...rest: []) => {
      const text = stringify(value, ...rest);
      record(text);
      return text;
    }),
    t.mock.method(JSON, 'parse', (text: string, ...rest: []) => {
      record(text);
      return parse(text, ...rest);
    }),
    ...(['run', 'all'] as const).map((name) => {
      const original: (...values: never[]) => unknown = StatementSync.prototype[name];
      return t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: never[]) {
        for (const value of values) record(value);
        return original.apply(this, values) as never;
      });
    }),
  ];
  return {
    longest: () => longest,
    reset: () => {
      longest = 0;
    },
    stop: () => {
      for (const { mock } of mocks) mock.restore();
    },
  };
}

/** How many pages the tree of `startWithTree` has, including its top page, on three levels. */
const TREE_SIZE = 1201;

/** Creates the page `top`, with 600 children that have a child each, and `other` beside it. */
async function startWithTree(t: TestContext, open: Parameters<typeof startWithAccount>[1]) {
  const started = await startWithAccount(t, open);
  const { service, db, accountId, userId } = started;
  const top = await makePage(db, accountId, { userId, name: 'Top' });
  const other = await makePage(db, accountId, { userId, name: 'Other' });
  const page = (parent: number, name: string, position: number) => ({
    account_id: accountId,
    parent_id: parent,
    name,
    urlname: name,
    position,
    is_hidden: 0 as const,
    body: '',
    body_format: '' as const,
    custom_date: 0,
    created_at: 0,
    created_by: userId,
    updated_at: 0,
    updated_by: userId,
    version: 1,
  });
  const insert = async (pages: ReturnType<typeof page>[]) => {
    const insertion = db
      .transaction()
      .execute((trx) => trx.insertInto('pages').values(pages).returning('id').execute());
    return (await insertion).map(({ id }) => id);
  };
  const children = await insert(Array.from({ length: (TREE_SIZE - 1) / 2 }, (_, i) => page(top, `child-${i}`, i + 1)));
  await insert(children.map((child, i) => page(child, `grandchild-${i}`, 1)));
  return { ...started, person: await signedInAs(service, db, accountId), top, other, children };
}

/** Records the largest number of rows that one statement of this thread writes to SQLite. */
function watchWrites(t: TestContext) {
  let most = 0;
  const run: (...values: never[]) => { changes: number | bigint } = StatementSync.prototype.run;
  const { mock } = t.mock.method(StatementSync.prototype, 'run', function (this: StatementSync, ...values: never[]) {
    const result = run.apply(this, values);
    most = Math.max(most, Number(result.changes));
    return result;
  });
  return { most: () => most, stop: () => mock.restore() };
}
