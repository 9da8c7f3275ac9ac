import assert from 'node:assert/strict';
import { StatementSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { noImages } from '../../../test/images.ts';
import { flatten, type PageJson, startWithAccount } from '../../../test/service.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Db } from '../../db/database.ts';
import { examine } from '../../operations/doctor.ts';
import { updatePlan } from '../../plans/change-plan.ts';
import { strangerHolderFinder } from '../../tenancy/holder.ts';
import { queueLarge, queueLongChange } from '../body.ts';

const json = { 'Content-Type': 'application/json' };
const count = (pages: number, first = 1) => Array.from({ length: pages }, (_, at) => ({ name: `Page ${first + at}` }));

onEachDatabase('importing a page tree', (open) => {
  test('all pages of a tree are created in place and returned with ids, and each has an event', async (t) => {
    const { service, db, key, send } = await start(t, open);
    await service.createPage(key, { name: 'Home' });
    const { outcome } = await send({
      pages: [
        {
          name: ' Services ',
          body: '<p>All</p>',
          children: [{ name: 'Cakes', is_hidden: true }, { name: 'Catering' }],
        },
        { name: 'Contact', description: 'Where we are', body_format: 'markdown_format', unknown: [1] },
      ],
    });
    const pages = await service.pages(key);
    const [home, services, contact] = pages as [PageJson, PageJson, PageJson];
    const [cakes, catering] = services.children as [PageJson, PageJson];
    const id = ({ id, name }: PageJson) => ({ id, name, children: [] });
    const made = [{ id: services.id, name: 'Services', children: [id(cakes), id(catering)] }, id(contact)];
    assert.deepEqual(outcome, [200, { response: true, errors: [], count: 4, pages: made }]);
    assert.deepEqual(
      [...flatten(pages)].map(({ name, url, position, is_hidden, created_by }) => [
        ...[name, url, position, is_hidden, created_by],
      ]),
      [
        ['Home', '/home', '1', false, 'Olivia Owner'],
        ['Services', '/services', '2', false, 'Olivia Owner'],
        ['Cakes', '/services/cakes', '1', true, 'Olivia Owner'],
        ['Catering', '/services/catering', '2', false, 'Olivia Owner'],
        ['Contact', '/contact', '3', false, 'Olivia Owner'],
      ],
    );
    assert.deepEqual(
      [services.body, services.body_format, contact.description, contact.body_format],
      ['<p>All</p>', home.body_format, 'Where we are', 'markdown_format'],
    );
    const { events } = (await service.get('/api/events.json', key)).json;
    const created = events.filter(({ type }: { type: string }) => type === 'page.created').slice(1);
    assert.deepEqual(
      created.map(({ data }: { data: { subject: string; details: { name: string } } }) => [
        ...[data.subject, data.details.name],
      ]),
      [...flatten(pages)].slice(1).map(({ id, name }) => [id, name]),
    );
    assert.deepEqual((await examine(db, noImages)).problems, []);
  });

  test('the page list of another account can be imported, and is then listed identically', async (t) => {
    const { service, db, key, send } = await start(t, open);
    const created = await send({
      pages: [
        {
          name: 'Öffnungszeiten',
          urlname: 'zeiten',
          custom_date: 'Wed Apr 09 08:56:03 UTC 2003',
          body: '\u0001 “x” 🦉',
        },
        { name: 'Old', body_format: '', description: '', children: [{ name: 'Older', is_hidden: true }] },
        { name: 'News', urlname: 'Zeiten', custom_date: '2024-02-03T04:05:06+01:00' },
      ],
    });
    assert.equal(created.status, 200, created.text);
    const list = await service.get('/api/pages.json', key);
    const other = await makeAccount(db);
    const imported = await service.request('POST', '/api/pages/import.json', {
      headers: { ...json, Authorization: `Bearer ${other.key}` },
      body: list.bytes,
    });
    assert.deepEqual([imported.status, imported.json.count], [200, 4]);
    const stays = ({ children, ...page }: PageJson): object => {
      const { id: _, parent_id: __, created_at: ___, updated_at: ____, ...same } = page;
      return { ...same, children: children.map(stays) };
    };
    const [before, after] = [list.json.pages as PageJson[], await service.pages(other.key)];
    assert.deepEqual(after.map(stays), before.map(stays));
    assert.deepEqual(
      before.map(({ url, custom_date, body_format }) => [url, custom_date, body_format]),
      [
        ['/zeiten', 'Wed Apr 09 08:56:03 UTC 2003', 'wysiwyg_format'],
        ['/old', before[1]!.created_at, ''],
        ['/zeiten-2', 'Sat Feb 03 03:05:06 UTC 2024', 'wysiwyg_format'],
      ],
    );
  });

  test('an invalid tree is refused with the place of every problem, and nothing is created', async (t) => {
    const { service, db, accountId, key, send } = await start(t, open);
    await service.createPage(key, { name: 'Home' });
    const pages = [
      { name: 'News', children: [{ name: 'Home' }, { name: ' ', is_hidden: 'maybe', body: 'a\0' }] },
      'Contact',
      { name: 'News', body_format: 'rtf', custom_date: 'yesterday', children: {} },
      {
        name: { en: 'Team' },
        description: 'x\0',
        is_published: [],
        urlname: 1.5,
        children: [{ name: 'x'.repeat(256) }],
      },
    ];
    const before = await snapshotOf(db, accountId);
    const errors = [
      ['parent_id', 'does not exist'],
      ['pages[0].children[0].name', 'has already been taken'],
      ['pages[0].children[1].name', "can't be blank"],
      ['pages[0].children[1].body', 'contains a NUL character'],
      ['pages[0].children[1].is_hidden', 'is not true or false'],
      ['pages[1]', 'is not an object'],
      ['pages[2].name', 'has already been taken'],
      ['pages[2].body_format', 'is not included in the list'],
      ['pages[2].custom_date', 'is not a date'],
      ['pages[2].children', 'is not a list'],
      ['pages[3].name', 'is not a text'],
      ['pages[3].is_published', 'is not true or false'],
      ['pages[3].description', 'contains a NUL character'],
      ['pages[3].children[0].name', 'is too long (maximum is 255 characters)'],
    ];
    const refused = [422, { response: false, errors }];
    for (const query of [
      'import[parent_id]=page_999',
      'import[parent_id]=99&import[dry_run]=true',
      'import[parent_id]=x',
    ]) {
      assert.deepEqual((await send({ pages }, query)).outcome, refused, query);
    }
    assert.deepEqual(await snapshotOf(db, accountId), before);
    const right = await send({ pages: [{ name: 'News', children: [{ name: 'Late' }] }] }, 'import[dry_run]=yes', {
      'Idempotency-Key': 'dry',
    });
    assert.deepEqual(right.outcome, [200, { response: true, errors: [], count: 2, pages: [] }]);
    assert.deepEqual(await snapshotOf(db, accountId), before);
    assert.deepEqual(await db.selectFrom('idempotency').select('key').execute(), []);
    const unclear = await send({ pages: [] }, 'import[dry_run]=perhaps');
    assert.deepEqual(unclear.outcome, [422, { response: false, errors: [['dry_run', 'is not true or false']] }]);
  });

  test('a tree can be imported below a page, with numbered URLs for duplicates, but not too deep', async (t) => {
    const { service, key, send } = await start(t, open);
    await service.createPage(key, { name: 'Shop' });
    const parent = (await service.pages(key))[0]!.id;
    await service.createPage(key, { name: 'Cakes', parent_id: parent });
    const below = `import[parent_id]=${parent}`;
    const names = ['Cakes!', 'Cakes?', 'Cakes-3', '…', '—'];
    assert.equal((await send({ pages: names.map((name) => ({ name, children: [] })) }, below)).status, 200);
    const [shop] = await service.pages(key);
    assert.deepEqual(
      shop!.children.map(({ urlname, position, parent_id }) => [urlname, position, parent_id === parent]),
      ['cakes', 'cakes-2', 'cakes-3', 'cakes-3-2', 'page', 'page-2'].map((name, at) => [name, `${at + 1}`, true]),
    );
    const nested = (depth: number, level = 1): object => ({
      name: `Level ${level} of ${depth}`,
      children: level < depth ? [nested(depth, level + 1)] : [],
    });
    const place = (depth: number) => `pages[0]${'.children[0]'.repeat(depth - 1)}`;
    const tooDeep = (depth: number) => [422, { response: false, errors: [[place(depth), 'is nested too deeply']] }];
    assert.deepEqual((await send({ pages: [nested(31)] }, below)).outcome, [
      422,
      {
        response: false,
        errors: [
          [place(30), 'is nested too deeply'],
          [place(31), 'is nested too deeply'],
        ],
      },
    ]);
    assert.deepEqual((await send({ pages: [nested(30)] }, below)).outcome, tooDeep(30));
    assert.deepEqual((await send({ pages: [nested(40)] })).outcome, tooDeep(31));
    assert.equal((await send({ pages: [nested(29)] }, below)).status, 200);
    assert.equal((await send({ pages: [nested(30)] })).status, 200);
    assert.equal((await send({ pages: [nested(60)] })).status, 400);
  });

  test('imported pages are published unless is_published is false', async (t) => {
    const { key, db, send } = await start(t, open);
    const pages = [{ name: 'A' }, { name: 'B', is_published: false }, { name: 'C', is_published: '' }];
    assert.equal((await send({ pages })).status, 200);
    const rows = await db.selectFrom('pages').select(['name', 'status']).orderBy('position').execute();
    assert.deepEqual(
      rows.map(({ name, status }) => [name, status]),
      [
        ['A', 'published'],
        ['B', 'unpublished'],
        ['C', 'published'],
      ],
    );
    assert.ok(key);
  });

  test('an import with an Idempotency-Key happens once, and the key is bound to the document', async (t) => {
    const { service, key, send } = await start(t, open);
    const once = { 'Idempotency-Key': 'once' };
    const first = await send({ pages: [{ name: 'Home' }] }, '', once);
    assert.equal(first.status, 200);
    assert.deepEqual((await send({ pages: [{ name: 'Home' }] }, '', once)).outcome, first.outcome);
    const reused = [['idempotency_key', 'has already been used for a different request']];
    for (const [pages, query] of [
      [[{ name: 'Team' }], ''],
      [[{ name: 'Home' }], `import[parent_id]=${first.json.pages[0].id}`],
    ] as const) {
      assert.deepEqual((await send({ pages }, query, once)).outcome, [422, { response: false, errors: reused }]);
    }
    const refused = await send({ pages: [{ name: 'Home' }] }, '', { 'Idempotency-Key': 'refused' });
    assert.deepEqual(refused.json.errors, [['pages[0].name', 'has already been taken']]);
    await service.request('DELETE', `/api/pages/${first.json.pages[0].id}.json?api_key=${key}`);
    const again = await send({ pages: [{ name: 'Home' }] }, '', { 'Idempotency-Key': 'refused' });
    assert.deepEqual(again.outcome, refused.outcome);
    assert.deepEqual(await service.pages(key), []);
  });

  test('a long list of import failures is not stored for its Idempotency-Key', async (t) => {
    const { db, send } = await start(t, open);
    const pages = Array.from({ length: 2000 }, () => ({}));
    const { status, json } = await send({ pages }, '', { 'Idempotency-Key': 'long' });
    assert.deepEqual(
      [status, json.errors.length, json.errors[1999]],
      [422, 2000, ['pages[1999].name', "can't be blank"]],
    );
    assert.deepEqual(await db.selectFrom('idempotency').select('key').execute(), []);
  });

  test('a tree that exceeds the plan’s pages or the page quota is refused as a whole', async (t) => {
    const { service, db, accountId: seller, key: sellersKey } = await startWithAccount(t, open, { PAGE_QUOTA: '1000' });
    const customer = await makeCustomer(db, seller);
    const plan = await db.selectFrom('accounts').select('plan_id').where('id', '=', customer).executeTakeFirstOrThrow();
    const fields = { name: 'Small', price: '0', interval: 'month', isDefault: false, pages: 3 };
    await db.transaction().execute((trx) => updatePlan(trx, seller, { planId: plan.plan_id!, ...fields }, operator));
    const user = await db.selectFrom('users').select('id').where('account_id', '=', customer).executeTakeFirstOrThrow();
    const { key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, customer, { userId: user.id, name: 'Program', expiresAt: null }));
    const send = async (pages: object[], by = key) =>
      (
        await service.request('POST', '/api/pages/import.json', {
          headers: { ...json, Authorization: `Bearer ${by}` },
          body: JSON.stringify({ pages }),
        })
      ).outcome;
    const full = [422, { response: false, errors: [['plan', 'allows at most 3 pages']] }];
    assert.deepEqual(await send(count(4)), full);
    assert.equal((await send(count(3)))[0], 200);
    assert.deepEqual(await send(count(1, 4)), full);
    const long = [
      { name: 'Long', body: 'x'.repeat(600), children: [{ name: 'Longer', description: 'x'.repeat(401) }] },
    ];
    const noRoom = ['pages', "does not fit: the account's pages may take 1 KB in all"];
    assert.deepEqual(await send(long, sellersKey), [422, { response: false, errors: [noRoom] }]);
    assert.deepEqual(await service.pages(sellersKey), []);
  });

  test('malformed documents and trees with too many pages are refused', async (t) => {
    const { service, key, request } = await start(t, open);
    const bodies = [
      ...['', '[]', '{}', '{"pages":{}}', '{"pages":[{"name":"A","name":"B"}]}', '{"pages":[{"name":"A"}]}}'],
      ...[
        '{"pages":[{"name":"\\ud800"}]}',
        '{"pages":[{"name":"\xff"}]}',
        `{"pages":${'['.repeat(200)}${']'.repeat(200)}}`,
      ],
    ];
    for (const body of bodies) {
      const { status, json } = await request(Buffer.from(body, 'latin1'));
      assert.deepEqual([status, typeof json.errors], [400, 'string'], body);
    }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    assert.equal((await request(Buffer.from('pages[0][name]=A'), '', form)).status, 400);
    const all = await request(Buffer.from(`{"pages":[${'{"name":"A"},'.repeat(20_000)}{}]}`));
    const tooMany = [['pages', 'has too many pages (maximum is 20000)']];
    assert.deepEqual(all.outcome, [422, { response: false, errors: tooMany }]);
    assert.equal((await request(Buffer.from(`{"pages":[${'1,'.repeat(600_000)}1]}`))).status, 400);
    assert.deepEqual(await service.pages(key), []);
  });

  test('an import reports a limited number of failures, and counts the rest', async (t) => {
    const { send } = await start(t, open);
    const pages = Array.from({ length: 12_000 }, () => ({ is_hidden: 'x' }));
    const { status, json } = await send({ pages }, 'import[dry_run]=1');
    assert.deepEqual([status, json.errors.length], [422, 20_001]);
    assert.deepEqual(json.errors.at(-1), ['pages', 'has 4000 more problems']);
  });

  test('an import of many pages runs in the thread for long changes, and large requests do not wait for it', async (t) => {
    const { service, key, send } = await start(t, open);
    const written: string[] = [];
    const run: (...values: never[]) => never = StatementSync.prototype.run as never;
    const { mock } = t.mock.method(StatementSync.prototype, 'run', function (this: StatementSync, ...values: never[]) {
      if (/^\s*insert into "pages"/.test(this.sourceSQL)) written.push(this.sourceSQL);
      return run.apply(this, values);
    });
    const turn = Promise.withResolvers<void>();
    t.after(() => turn.resolve());
    const held = queueLongChange(strangerHolderFinder(''), () => turn.promise);
    let done = 0;
    const imports = [
      { pages: count(600) },
      { pages: [{ name: 'Large', body: 'x'.repeat(400_000), children: count(3, 2000) }] },
    ].map((tree) => send(tree).finally(() => (done += 1)));
    // A large request gets its turn although a large import waits.
    await queueLarge(strangerHolderFinder(''), async () => {});
    assert.equal((await send({ pages: [{ name: 'Short' }] })).status, 200);
    assert.equal(done, 0);
    turn.resolve();
    await held;
    for (const reply of await Promise.all(imports)) assert.equal(reply.status, 200, reply.text);
    mock.restore();
    assert.ok(written.length <= 1);
    const pages = [...flatten(await service.pages(key))];
    assert.equal(pages.length, 605);
    assert.equal(pages.find(({ name }) => name === 'Large')!.body.length, 400_000);
  });

  test('a tree whose texts show too many images is refused', async (t) => {
    const { db, accountId, send } = await start(t, open);
    const body = Array.from({ length: 200 }, (_, at) => `/media/${String(at).padStart(32, '0')}-`).join('');
    const pages = count(501).map((page) => ({ ...page, body }));
    const before = await snapshotOf(db, accountId);
    for (const query of ['', 'import[dry_run]=true']) {
      const { outcome } = await send({ pages }, query);
      assert.deepEqual(outcome, [
        422,
        { response: false, errors: [['pages', 'has too many images (maximum is 100000)']] },
      ]);
    }
    assert.deepEqual(await snapshotOf(db, accountId), before);
  });

  test('thousands of imported pages with the same urlname each get a different number', async (t) => {
    const { service, db, key, send } = await start(t, open);
    const pages = Array.from({ length: 3000 }, (_, at) => ({ name: String.fromCodePoint(0x1f300 + at) }));
    const tree = [...pages.slice(0, 1500), { name: 'Below', children: pages.slice(1500) }];
    assert.equal((await send({ pages: tree })).status, 200);
    const listed = await service.pages(key);
    assert.equal(new Set(listed.map(({ urlname }) => urlname)).size, 1501);
    assert.deepEqual([listed[0]!.urlname, listed[1499]!.urlname], ['page', 'page-1500']);
    assert.equal(listed[1500]!.children[1499]!.urlname, 'page-1500');
    assert.deepEqual((await examine(db, noImages)).problems, []);
  });
});

async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const request = (body: Buffer, query = '', headers: Record<string, string> = {}) =>
    started.service.request('POST', `/api/pages/import.json${query && `?${query}`}`, {
      headers: { ...json, Authorization: `Bearer ${started.key}`, ...headers },
      body,
    });
  const send = (tree: object, query = '', headers: Record<string, string> = {}) =>
    request(Buffer.from(JSON.stringify(tree)), query, headers);
  return { ...started, request, send };
}

/** Reads everything that an import changes. */
async function snapshotOf(db: Db, accountId: number) {
  const account = db.selectFrom('accounts').select(['content_version', 'page_bytes']).where('id', '=', accountId);
  const pages = db.selectFrom('pages').select(['id', 'name', 'position']).orderBy('id');
  const events = db.selectFrom('audit_log').select('id').orderBy('id');
  return [await account.execute(), await pages.execute(), await events.execute()];
}
