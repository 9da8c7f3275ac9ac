import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';

onEachDatabase('changes of several pages in the trash at once', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId, userId } = started;
    const person = await signedInAs(service, db, accountId, 'editor');
    const make = (name: string, parent = 0) =>
      makePage(db, accountId, { userId, name, body: `This is ${name}`, parentId: String(parent) });
    const send = (kind: string, ids: unknown) => person.post('trash/pages/changes', { kind, ids });
    const names = async () => {
      const { pages } = (await person.get('pages?parent=0&after=0')).json;
      return pages.map(({ name }: { name: string }) => name);
    };
    const trash = async () => {
      const { deletions } = (await person.get('trash/pages')).json;
      return deletions.map(({ name }: { name: string }) => name);
    };
    return { ...started, person, make, send, names, trash };
  }

  test('each change has the effect of a single request, and a refused change does not affect the others', async (t) => {
    const { person, db, make, send, names, trash } = await start(t);
    const [a, b, c] = [await make('A'), await make('B'), await make('C')];
    const below = await make('Below', b);
    for (const id of [a, b, c]) await person.delete(`pages/${id}`);
    const taken = await make('A');

    const { status, json } = await send('restore', [b, taken, a]);
    assert.equal(status, 200);
    const [first, second, third] = json.results;
    assert.deepEqual([first.id, first.count, first.isElsewhere, first.renamed], [b, 2, false, 0]);
    assert.deepEqual(second, { id: taken, code: 'not_found', why: null });
    assert.deepEqual([third.id, third.count, third.hasNewUrlname, third.renamed], [a, 1, true, 1]);
    assert.deepEqual([await names(), await trash()], [['A 2', 'B', 'A'], ['C']]);

    const back = (await send('delete', [a, b])).json.results;
    assert.deepEqual(back, [
      { id: a, count: 1 },
      { id: b, count: 2 },
    ]);
    assert.deepEqual(await trash(), ['B', 'A 2', 'C']);

    const gone = (await send('discard', [b, below, c])).json.results;
    assert.deepEqual(gone, [
      { id: b, count: 2 },
      { id: below, code: 'not_found', why: null },
      { id: c, count: 1 },
    ]);
    assert.deepEqual(await trash(), ['A 2']);
    const waiting = () => db.selectFrom('undos').select('id').where('created_at', '=', 0).execute();
    while ((await waiting()).length > 0) await setImmediate();
    const left = await db.selectFrom('removed_pages').select('id').execute();
    assert.deepEqual(
      left.map(({ id }) => id),
      [a],
    );
  });

  test('restoring several pages stops before a large page, which is restored when it is sent first', async (t) => {
    const { person, make, send, names } = await start(t);
    const small = await make('Small');
    const { id: large } = (
      await person.post('pages', { name: 'Large', body: 'x'.repeat(300_000), bodyFormat: 'markdown_format' })
    ).json;
    for (const id of [small, large]) await person.delete(`pages/${id}`);
    const made: number[] = [];
    while (made.length < 2) {
      const { results } = (await send('restore', [small, large].slice(made.length))).json;
      assert.ok(results.length > 0);
      made.push(...results.map(({ id, count }: { id: number; count: number }) => (count === 1 ? id : 0)));
    }
    assert.deepEqual(made, [small, large]);
    assert.deepEqual((await names()).toSorted(), ['Large', 'Small']);
  });

  test('the trash changes no pages of other accounts, and refuses more than 50 or malformed changes', async (t) => {
    const { db, make, person, send } = await start(t);
    const own = await make('Own');
    await person.delete(`pages/${own}`);
    const other = await makeAccount(db);
    const foreign = await makePage(db, other.accountId, { userId: other.userId, name: 'Foreign' });
    for (const kind of ['restore', 'discard', 'delete']) {
      assert.deepEqual((await send(kind, [foreign])).json.results, [{ id: foreign, code: 'not_found', why: null }]);
    }
    for (const ids of [Array(51).fill(own), 'all', [String(own)]])
      assert.equal((await send('restore', ids)).status, 400);
    assert.equal((await send('publish', [own])).status, 422);
  });
});

onEachDatabase('searching the trash', (open) => {
  test('a search of the trash finds pages and their descendants by name, regardless of case and accents', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId, 'editor');
    const make = (name: string, parent = 0) =>
      makePage(db, accountId, { userId, name, body: '', parentId: String(parent) });
    const [cafe, offers] = [await make('Café Prices'), await make('Offers')];
    const inside = await make('Old prices', offers);
    await make('Prices of now');
    const other = await makeAccount(db);
    const foreign = await makePage(db, other.accountId, { userId: other.userId, name: 'Prices elsewhere' });
    const stranger = await signedInAs(service, db, other.accountId, 'editor');
    await stranger.delete(`pages/${foreign}`);
    for (const id of [cafe, offers]) await person.delete(`pages/${id}`);
    const search = async (q: string) => {
      const { deletions, hasMore } = (await person.get(`trash/pages/search?q=${encodeURIComponent(q)}`)).json;
      assert.equal(hasMore, false);
      return deletions.map(({ id, found }: { id: number; found: object[] }) => [id, found]);
    };
    assert.deepEqual(await search('PRICES'), [
      [offers, [{ id: inside, name: 'Old prices' }]],
      [cafe, []],
    ]);
    assert.deepEqual(await search(' cafe p'), [[cafe, []]]);
    assert.deepEqual(await search('bread'), []);
    assert.deepEqual(await search(' '), []);
    await person.post(`trash/pages/${inside}/restore`);
    assert.deepEqual(await search('prices'), [[cafe, []]]);
    await db.transaction().execute((trx) => trx.updateTable('undos').set({ created_at: 1 }).execute());
    assert.deepEqual(await search('prices'), []);
  });

  test('a search of the trash returns the latest 50 matches', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId, 'viewer');
    const by = { account_id: accountId, created_at: 0, created_by: userId, updated_at: 0, updated_by: userId };
    const of = { is_hidden: 0, body: '', body_format: '', custom_date: 0, version: 1, position: 1 } as const;
    const ids = Array.from({ length: 60 }, (_, index) => 1000 + index);
    await db.transaction().execute(async (trx) => {
      const kind = 'delete' as const;
      const same = { account_id: accountId, user_id: userId, kind, created_at: Date.now(), used_at: null };
      await trx
        .insertInto('undos')
        .values(ids.map((id) => ({ ...same, id, payload: JSON.stringify({ pageId: id, pages: 1 }) })))
        .execute();
      const pages = ids.map((id) => ({ ...of, ...by, id, undo_id: id, name: 'Bread', urlname: `bread-${id}` }));
      await trx.insertInto('removed_pages').values(pages).execute();
    });
    const { deletions, hasMore } = (await person.get('trash/pages/search?q=bread')).json;
    assert.deepEqual(
      deletions.map(({ id }: { id: number }) => id),
      ids.slice(10).toReversed(),
    );
    assert.equal(hasMore, true);
  });
});
