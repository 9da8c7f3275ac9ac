import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const done = { response: true, errors: [] };
const noDraft = { response: false, errors: 'The draft does not exist.' };
const noPage = { response: false, errors: 'The page does not exist.' };

onEachDatabase('drafts over the API', (open) => {
  test('a draft can be written field by field, read with the other fields of the page, and published', async (t) => {
    const { db, page, send, read } = await setUp(t, open);
    assert.deepEqual((await send('GET', 'draft.json')).json, noDraft);
    assert.deepEqual((await send('PATCH', 'draft.json', 'page[body]=Soup&page[name]=We')).json, done);
    const sent = { description: 'Us', is_hidden: true, custom_date: '2003-04-09T08:56:03Z' };
    const json = { 'Content-Type': 'application/json' };
    assert.deepEqual((await send('PATCH', 'draft.json', JSON.stringify({ page: sent }), json)).json, done);
    const { draft } = (await send('GET', 'draft.json')).json;
    const { updated_at, ...written } = draft;
    assert.deepEqual(written, {
      page_id: page.id,
      name: 'We',
      urlname: 'about',
      body: 'Soup',
      body_format: page.body_format,
      description: 'Us',
      is_hidden: true,
      custom_date: 'Wed Apr 09 08:56:03 UTC 2003',
      is_outdated: false,
    });
    assert.match(updated_at, / UTC \d{4}$/);
    const { is_published, ...before } = await read();
    assert.deepEqual({ ...before, children: [] }, page);
    assert.equal(is_published, true);
    assert.deepEqual((await send('POST', 'publish.json')).json, done);
    const { name, body, description, is_hidden } = await read();
    assert.deepEqual([name, body, description, is_hidden], ['We', 'Soup', 'Us', true]);
    assert.deepEqual((await send('GET', 'draft.json')).json, noDraft);
    const again = await send('POST', 'publish.json');
    const published = { response: false, errors: 'The page is already published, and has no draft.' };
    assert.deepEqual([again.status, again.json], [404, published]);
    const events = await db.selectFrom('audit_log').select('action').orderBy('id', 'desc').limit(1).execute();
    assert.equal(events[0]!.action, 'page.published');
  });

  test('an unpublished page without a draft can be published', async (t) => {
    const { service, key, send } = await setUp(t, open);
    await service.createPage(key, { name: 'Later', is_published: 'false' });
    await service.createPage(key, { name: 'Now', is_published: '' });
    const [, later, now] = await service.pages(key);
    const isPublished = async (id: string) => (await send('GET', '.json', undefined, {}, id)).json.page.is_published;
    assert.deepEqual([await isPublished(later!.id), await isPublished(now!.id)], [false, true]);
    assert.deepEqual((await send('POST', 'publish.json', undefined, {}, later!.id)).json, done);
    assert.equal(await isPublished(later!.id), true);
    const wrong = await service.createPage(key, { name: 'Maybe', is_published: 'perhaps' });
    assert.deepEqual(wrong.outcome, [422, { response: false, errors: [['is_published', 'is not true or false']] }]);
  });

  test('a draft older than another change of the page is published only with the page’s current ETag', async (t) => {
    const { send, read } = await setUp(t, open);
    await send('PATCH', 'draft.json', 'page[body]=Mine');
    await send('PATCH', '.json', 'page[body]=Theirs');
    assert.equal((await send('GET', 'draft.json')).json.draft.is_outdated, true);
    const refused = await send('POST', 'publish.json');
    assert.deepEqual(
      [refused.status, refused.json],
      [412, { response: false, errors: 'Olivia Owner has changed the page in the meantime.' }],
    );
    assert.deepEqual([(await read()).body, (await send('GET', 'draft.json')).json.draft.body], ['Theirs', 'Mine']);
    const { etag } = (await send('GET', '.json')).headers;
    assert.deepEqual((await send('POST', 'publish.json', undefined, { 'If-Match': etag! })).json, done);
    assert.equal((await read()).body, 'Mine');
  });

  test('a draft that has changed since it was read can be neither changed nor discarded', async (t) => {
    const { send } = await setUp(t, open);
    await send('PATCH', 'draft.json', 'page[body]=One');
    const seen = { 'If-Match': (await send('GET', 'draft.json')).headers.etag! };
    await send('PATCH', 'draft.json', 'page[body]=Two');
    for (const [method, body] of [
      ['PATCH', 'page[body]=Three'],
      ['DELETE', undefined],
    ] as const) {
      const reply = await send(method, 'draft.json', body, seen);
      const expected = { response: false, errors: 'The draft of this page has changed in the meantime.' };
      assert.deepEqual([method, reply.status, reply.json], [method, 412, expected]);
    }
    assert.equal((await send('GET', 'draft.json')).json.draft.body, 'Two');
    assert.deepEqual((await send('DELETE', 'draft.json')).json, done);
    assert.deepEqual((await send('DELETE', 'draft.json')).json, noDraft);
    assert.equal((await send('PATCH', 'draft.json', 'page[body]=Four', seen)).status, 412);
    assert.equal((await send('PATCH', 'draft.json', 'page[body]=Four', { 'If-Match': 'x' })).status, 422);
  });

  test('an invalid draft is refused with every wrong field, and other accounts’ pages are not found', async (t) => {
    const { db, send } = await setUp(t, open);
    const reply = await send('PATCH', 'draft.json', 'page[custom_date]=soon&page[is_hidden]=perhaps&page[name]=');
    assert.deepEqual(
      [reply.status, reply.json.errors.map(([field]: [string]) => field).sort()],
      [422, ['custom_date', 'is_hidden', 'name']],
    );
    const other = await makeAccount(db);
    const theirs = await makePage(db, other.accountId, { userId: other.userId, name: 'Theirs' });
    for (const [method, path, body] of [
      ['GET', 'draft.json'],
      ['PATCH', 'draft.json', 'page[body]=Ours'],
      ['DELETE', 'draft.json'],
      ['POST', 'publish.json'],
    ] as const) {
      const answer = await send(method, path, body, {}, `page_${theirs}`);
      assert.deepEqual([method, path, answer.status, answer.json], [method, path, 404, noPage]);
    }
    assert.deepEqual(await db.selectFrom('drafts').select('page_id').execute(), []);
  });
});

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, key } = started;
  await service.createPage(key, { name: 'About' });
  const [page] = await service.pages(key);
  const send = (
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
    id: string = page!.id,
  ) =>
    service.request(method, `/api/pages/${id}${path === '.json' ? path : `/${path}`}`, {
      headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && form), ...headers },
      ...(body !== undefined && { body }),
    });
  const read = async () => (await send('GET', '.json')).json.page;
  return { ...started, page: page!, send, read };
}
