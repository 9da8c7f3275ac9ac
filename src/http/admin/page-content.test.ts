import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makePage, quota } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { updatePage } from '../../pages/update-page.ts';

interface ListedRevision {
  readonly id: number;
  readonly version: number;
}

/** Accepts any version of a page. */
const ANY = { 'If-Match': '*' };

onEachDatabase('drafts, publishing and revisions in the admin app', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId, userId } = started;
    const id = await makePage(db, accountId, { userId, name: 'News', body: 'First' });
    const [ann, ben] = [await signedInAs(service, db, accountId), await signedInAs(service, db, accountId, 'editor')];
    const { version } = (await ann.get(`pages/${id}`)).json;
    const listed = async () => (await service.pages(started.key))[0]!;
    return { ...started, id, ann, ben, version, tag: { 'If-Match': `"${version}"` }, listed };
  }

  test('a draft is visible to its user only, and the API lists the published text', async (t) => {
    const { ann, ben, id, version, tag, listed } = await start(t);
    const fields = { name: 'News\u2014', body: '<p>Sec\r\nond</p>\u{1F600}', bodyFormat: 'wysiwyg_format' };
    const saved = await ann.put(`pages/${id}/draft`, { fields, basedOn: version, draftAt: null });
    assert.deepEqual([saved.status, saved.json.fields], [200, fields]);
    assert.deepEqual((await ann.get(`pages/${id}`)).json.draft, saved.json);
    const seen = (await ben.get(`pages/${id}`)).json;
    assert.deepEqual([seen.draft, seen.body, seen.version], [null, 'First', version]);
    assert.deepEqual(seen.otherDrafts, [{ by: 'The owner', updatedAt: saved.json.updatedAt }]);
    assert.equal((await listed()).body, 'First');

    const { json } = await ann.post(`pages/${id}/publish`, {}, tag);
    assert.deepEqual([json.page.body, json.page.draft, json.changedAddresses], [fields.body, null, 0]);
    const page = await listed();
    assert.deepEqual([page.name, page.body, page.body_format], [fields.name, fields.body, 'wysiwyg_format']);
    assert.equal((await ann.post(`pages/${id}/publish`, {}, tag)).status, 404);
  });

  test('a draft can be discarded, and discarding it again is no error', async (t) => {
    const { ann, id, version } = await start(t);
    const draft = { fields: { body: 'x' }, basedOn: version, draftAt: null };
    const { updatedAt } = (await ann.put(`pages/${id}/draft`, draft)).json;
    assert.equal((await ann.delete(`pages/${id}/draft?draftAt=${updatedAt}`)).status, 204);
    assert.equal((await ann.delete(`pages/${id}/draft?draftAt=${updatedAt}`)).status, 204);
    assert.equal((await ann.get(`pages/${id}`)).json.draft, null);
    assert.equal((await ann.delete(`pages/${id + 1}/draft`)).status, 404);
  });

  test('a draft replaces only the draft that it is based on', async (t) => {
    const { ann, ben, id, version } = await start(t);
    const save = (body: string, draftAt?: number | null) =>
      ann.put(`pages/${id}/draft`, { fields: { body }, basedOn: version, ...(draftAt !== undefined && { draftAt }) });
    const stored = async () => (await ann.get(`pages/${id}`)).json.draft;

    const now = Date.now();
    t.mock.timers.enable({ apis: ['Date'], now });
    const first = (await save('On the telephone', null)).json;
    const second = (await save('On the telephone, and on', first.updatedAt)).json;
    assert.ok(second.updatedAt > first.updatedAt, 'the time must grow even within a millisecond');
    t.mock.timers.setTime(now + 10);
    for (const draftAt of [null, first.updatedAt, second.updatedAt + 1]) {
      const { status, json } = await save('At the desk', draftAt);
      assert.deepEqual([status, json.error.code, json.current.draft], [412, 'outdated', second]);
    }
    assert.equal((await save('At the desk')).status, 400, '`draftAt` is required');
    assert.equal(
      (await ben.put(`pages/${id}/draft`, { ...second, draftAt: null })).status,
      200,
      'other users have their own drafts',
    );
    for (const draftAt of ['', `?draftAt=${first.updatedAt}`]) {
      const { status, json } = await ann.delete(`pages/${id}/draft${draftAt}`);
      assert.deepEqual([status, json.error.code, json.current.draft], [412, 'outdated', second]);
    }
    assert.deepEqual(await stored(), second);

    // If the draft is gone, a new one overwrites nothing.
    await ann.delete(`pages/${id}/draft?draftAt=${second.updatedAt}`);
    const { status, json } = await save('At the desk', second.updatedAt);
    assert.deepEqual([status, await stored()], [200, json]);
    assert.ok(json.updatedAt > second.updatedAt);
  });

  test('exactly one of many drafts based on the same draft is saved', async (t) => {
    const { ann, id, version } = await start(t);
    let draftAt: number | null = null;
    for (const round of ['without a draft', 'with a draft']) {
      const save = (index: number) =>
        ann.put(`pages/${id}/draft`, { fields: { body: `Number ${index}` }, basedOn: version, draftAt });
      const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => save(index)));
      assert.deepEqual(replies.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)], round);
      const saved = replies.find(({ status }) => status === 200)!.json;
      assert.deepEqual((await ann.get(`pages/${id}`)).json.draft, saved);
      draftAt = saved.updatedAt;
    }
  });

  test('publishing deletes the published draft, and keeps one that another device has saved', async (t) => {
    const { ann, id, version, tag } = await start(t);
    const save = (body: string, draftAt: number | null) =>
      ann.put(`pages/${id}/draft`, { fields: { body }, basedOn: version, draftAt });
    const publish = async (body: string, draftAt: number | null, tag: Record<string, string>) =>
      (await ann.post(`pages/${id}/publish`, { fields: { body }, draftAt }, tag)).json.page;
    const first = (await save('At the desk', null)).json;
    const second = (await save('On the telephone', first.updatedAt)).json;
    const page = await publish('At the desk', first.updatedAt, tag);
    assert.deepEqual([page.body, page.draft], ['At the desk', second]);
    const next = await publish('On the telephone', second.updatedAt, { 'If-Match': `"${page.version}"` });
    assert.deepEqual([next.body, next.draft], ['On the telephone', null]);
  });

  test('if two users publish a page, the second gets the first version, keeps the draft, and can publish it', async (t) => {
    const { ann, ben, id, version, tag, listed } = await start(t);
    await ann.put(`pages/${id}/draft`, { fields: { body: "Ann's" }, basedOn: version, draftAt: null });
    await ben.put(`pages/${id}/draft`, { fields: { body: "Ben's" }, basedOn: version, draftAt: null });
    await ann.post(`pages/${id}/publish`, {}, tag);
    const late = await ben.post(`pages/${id}/publish`, {}, tag);
    assert.equal(late.status, 412);
    const { error, current } = late.json;
    assert.deepEqual([error.code, current.body, current.draft.fields.body], ['outdated', "Ann's", "Ben's"]);
    assert.equal((await listed()).body, "Ann's");
    const again = await ben.post(`pages/${id}/publish`, {}, { 'If-Match': late.headers.etag });
    assert.deepEqual([again.status, again.json.page.body], [200, "Ben's"]);
  });

  test('exactly one of many concurrent publications succeeds', async (t) => {
    const { ann, ben, id, tag } = await start(t);
    const publish = (index: number) =>
      (index % 2 ? ann : ben).post(`pages/${id}/publish`, { fields: { body: `Number ${index}` } }, tag);
    const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => publish(index)));
    const statuses = replies.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [200, ...Array(7).fill(412)]);
  });

  test('a page that was moved while it was edited is published without a conflict', async (t) => {
    const { db, accountId, userId, ann, ben, id, tag } = await start(t);
    const parentId = await makePage(db, accountId, { userId, name: 'Archive' });
    const { page } = (await ben.post(`pages/${id}/move`, { parentId })).json;
    assert.notEqual(`"${page.version}"`, tag['If-Match']);
    const { status, json } = await ann.post(`pages/${id}/publish`, { fields: { body: 'Second' } }, tag);
    assert.deepEqual([status, json.page.path, json.page.body], [200, '/archive/news', 'Second']);
  });

  test('publishing requires the version that the change is based on', async (t) => {
    const { ann, id } = await start(t);
    for (const headers of [{}, ANY]) {
      const { status, json } = await ann.post(`pages/${id}/publish`, { fields: { body: 'x' } }, headers);
      assert.deepEqual([status, json.error.code], [428, 'if_match_needed']);
    }
    assert.equal((await ann.post(`pages/${id}/publish`, { fields: 'x' }, { 'If-Match': '"1"' })).status, 400);
  });

  test('every published state is kept with its author and time, and can be restored', async (t) => {
    const { ann, ben, id, tag } = await start(t);
    const created = (await ann.get(`pages/${id}`)).json;
    const second = await ann.post(`pages/${id}/publish`, { fields: { body: 'Second', name: 'Newer' } }, tag);
    await ben.patch(`pages/${id}`, { body: 'Third', description: 'All', urlname: 'latest' }, ANY);
    const { revisions } = (await ben.get(`pages/${id}/revisions`)).json;
    assert.deepEqual(
      revisions.map(({ name, by, at, version }: Record<string, unknown>) => [name, by, at, version]),
      [
        ['Newer', 'The owner', second.json.page.updatedAt, second.json.page.version],
        ['News', 'Olivia Owner', created.createdAt, created.version],
      ],
    );
    const first = revisions[1].id;
    const { json } = await ben.get(`revisions/${first}`);
    assert.deepEqual([json.body, json.description, json.urlname, json.pageId], ['First', null, 'news', id]);

    assert.equal((await ann.post(`revisions/${first}/restore`)).status, 428);
    const late = await ann.post(`revisions/${first}/restore`, {}, tag);
    assert.deepEqual([late.status, late.json.current.body], [412, 'Third'], 'Ben has changed it since');
    const restored = (await ann.post(`revisions/${first}/restore`, {}, { 'If-Match': late.headers.etag })).json;
    const { name, body, description, path } = restored.page;
    assert.deepEqual([name, body, description, path], ['News', 'First', null, '/latest']);
    assert.equal((await ann.get(`pages/${id}/revisions`)).json.revisions.length, 3);
    const back = (await ann.post(`undo/${restored.undo}`)).json.page;
    assert.deepEqual([back.body, back.name], ['Third', 'Newer']);
  });

  test('revisions of a page are listed completely, 50 at a time', async (t) => {
    const { ann, db, accountId, userId, id } = await start(t);
    const other = await makePage(db, accountId, { userId });
    // Changes of another page in between leave gaps between the versions.
    await db.transaction().execute(async (trx) => {
      for (let count = 1; count <= 230; count += 1) {
        for (const each of count <= 50 ? [id, other] : [id]) {
          const fields = { description: `Text ${count}` };
          await updatePage(trx, accountId, { id: each, basedOn: undefined, fields, quota }, actor(userId));
        }
      }
    });
    const list = async (page: number, before?: number): Promise<{ revisions: ListedRevision[]; hasMore: boolean }> =>
      (await ann.get(`pages/${page}/revisions${before === undefined ? '' : `?before=${before}`}`)).json;
    const parts = [await list(id)];
    while (parts.at(-1)!.hasMore) parts.push(await list(id, parts.at(-1)!.revisions.at(-1)!.version));
    assert.deepEqual(
      parts.map(({ revisions }) => revisions.length),
      [50, 50, 50, 50, 30],
    );
    const told = parts.flatMap(({ revisions }) => revisions);
    assert.equal(new Set(told.map((one) => one.id)).size, 230);
    assert.deepEqual(
      told,
      told.toSorted((one, next) => next.version - one.version),
    );
    const description = async (one: ListedRevision) => (await ann.get(`revisions/${one.id}`)).json.description;
    assert.deepEqual([await description(told[0]!), await description(told[229]!)], ['Text 229', null]);
    const { revisions, hasMore } = await list(other);
    assert.deepEqual([revisions.length, hasMore], [50, false], 'the last part is not empty');
    assert.equal((await ann.get(`pages/${id}/revisions?before=x`)).status, 400);
  });

  test('a restored revision keeps the present name if another page has the former name by now', async (t) => {
    const { ann, id } = await start(t);
    await ann.patch(`pages/${id}`, { name: 'Old news', body: 'Second' }, ANY);
    await ann.post('pages', { name: 'News' });
    const { revisions } = (await ann.get(`pages/${id}/revisions`)).json;
    const { page } = (await ann.post(`revisions/${revisions[0].id}/restore`, {}, ANY)).json;
    assert.deepEqual([page.name, page.body], ['Old news', 'First']);
  });

  test('the preview of a body is rendered without its scripts', async (t) => {
    const { ann } = await start(t);
    const body = '# Hello\n\n<script>alert(1)</script>';
    const { status, json } = await ann.post('preview', { body, bodyFormat: 'markdown_format' });
    assert.equal(status, 200);
    assert.match(json.html, /<h1[^>]*>.*Hello/);
    assert.doesNotMatch(json.html, /<script/);
  });
});
