import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makePage } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';

/** Accepts any version of a page. */
const ANY = { 'If-Match': '*' };

onEachDatabase('changes of the page tree in the admin app', (open) => {
  /** Creates the pages A > B > C, and D and E at the root. */
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open);
    const { service, db, accountId, userId, key } = started;
    const person = await signedInAs(service, db, accountId, 'editor');
    const make = (name: string, parentId = 0) =>
      makePage(db, accountId, { userId, name, body: `This is ${name}`, parentId: String(parentId) });
    const a = await make('A');
    const b = await make('B', a);
    const c = await make('C', b);
    const [d, e] = [await make('D'), await make('E')];
    /** Returns the tree in the form `A(B(C)) D E`. */
    const shape = async () => {
      const write = (pages: Awaited<ReturnType<typeof service.pages>>): string =>
        pages.map(({ name, children }) => (children.length > 0 ? `${name}(${write(children)})` : name)).join(' ');
      return write(await service.pages(key));
    };
    return { ...started, person, a, b, c, d, e, shape };
  }

  test('a page moves with its descendants; a preview counts the changed addresses, and the move can be undone', async (t) => {
    const { person, b, d, shape } = await start(t);
    const move = { parentId: d, position: 1 };
    assert.deepEqual((await person.post(`pages/${b}/move`, { ...move, preview: true })).json, { changedAddresses: 2 });
    assert.equal(await shape(), 'A(B(C)) D E');
    const { json } = await person.post(`pages/${b}/move`, move);
    assert.deepEqual([json.changedAddresses, json.page.path, json.page.parentId], [2, '/d/b', d]);
    assert.equal(await shape(), 'A D(B(C)) E');
    const undone = (await person.post(`undo/${json.undo}`)).json;
    assert.equal(undone.page.path, '/a/b');
    assert.equal(await shape(), 'A(B(C)) D E');
    await person.post(`undo/${undone.undo}`);
    assert.equal(await shape(), 'A D(B(C)) E');
  });

  test('a page moves up and down among its siblings and keeps its address', async (t) => {
    const { person, a, d, e, shape } = await start(t);
    const move = async (id: number, position?: number) =>
      (await person.post(`pages/${id}/move`, { parentId: 0, position })).json;
    assert.equal((await move(e, 1)).changedAddresses, 0);
    assert.equal(await shape(), 'E A(B(C)) D');
    await move(e, 2);
    assert.equal(await shape(), 'A(B(C)) E D');
    await move(a);
    assert.equal(await shape(), 'E D A(B(C))');
    await move(d, 99);
    assert.equal(await shape(), 'E A(B(C)) D');
    await move(d, -5);
    assert.equal(await shape(), 'D E A(B(C))');
    const same = await move(d, 1);
    assert.equal(same.undo, null);
  });

  test('the API lists the new positions of all siblings after a move or a deletion', async (t) => {
    const { service, key, person, a, e } = await start(t);
    const listed = async () => (await service.pages(key)).map(({ name, position }) => `${position} ${name}`);
    assert.deepEqual(await listed(), ['1 A', '2 D', '3 E']);
    await person.post(`pages/${e}/move`, { parentId: 0, position: 1 });
    assert.deepEqual(await listed(), ['1 E', '2 A', '3 D']);
    await person.delete(`pages/${a}`);
    assert.deepEqual(await listed(), ['1 E', '2 D']);
  });

  test('a page cannot be moved below itself, below a page that does not exist, or too deep', async (t) => {
    const { person, db, accountId, userId, a, c, d, shape } = await start(t);
    const refusal = async (id: number, parentId: number) =>
      (await person.post(`pages/${id}/move`, { parentId })).json.error.fields;
    assert.deepEqual(await refusal(a, c), [{ field: 'parentId', code: 'below_itself' }]);
    assert.deepEqual(await refusal(a, a), [{ field: 'parentId', code: 'below_itself' }]);
    assert.deepEqual(await refusal(a, 12345), [{ field: 'parentId', code: 'missing' }]);
    let parent = d;
    for (let depth = 2; depth <= 28; depth++) {
      parent = await makePage(db, accountId, { userId, parentId: String(parent), name: `Level ${depth}` });
    }
    // A needs three levels, but only two are left.
    assert.deepEqual(await refusal(a, parent), [{ field: 'parentId', code: 'too_deep' }]);
    assert.ok((await shape()).startsWith('A(B(C)) D(Level 2('));
  });

  test('the answer to a change names the new home page only if the home page has changed', async (t) => {
    const { person, a, b, d, e } = await start(t);
    const homeAfter = async (change: Promise<{ json: { home?: string | null } }>) => (await change).json.home;
    const hide = (id: number, isHidden: boolean) => person.patch(`pages/${id}`, { isHidden }, ANY);
    assert.equal(await homeAfter(hide(d, true)), undefined);
    assert.equal(await homeAfter(hide(a, true)), 'E');
    assert.equal(await homeAfter(hide(a, true)), undefined);
    const { version } = (await person.get(`pages/${d}`)).json;
    const publish = person.post(`pages/${d}/publish`, { fields: { isHidden: false } }, { 'If-Match': `"${version}"` });
    assert.equal(await homeAfter(publish), 'D');
    assert.equal(await homeAfter(person.post(`pages/${e}/move`, { parentId: 0, position: 1 })), 'E');
    assert.equal(await homeAfter(person.post(`pages/${e}/move`, { parentId: d })), 'D');
    assert.equal(await homeAfter(person.patch(`pages/${d}`, { name: 'Start' }, ANY)), undefined);
    assert.equal(await homeAfter(person.delete(`pages/${b}`)), undefined);
    assert.equal(await homeAfter(person.delete(`pages/${d}`)), null);
  });

  test('a moved page whose urlname is taken gets a number, and loses it when the move is undone', async (t) => {
    const { person, db, accountId, userId, b, d } = await start(t);
    await makePage(db, accountId, { userId, name: 'B!', parentId: String(d) });
    const { json } = await person.post(`pages/${b}/move`, { parentId: d });
    assert.equal(json.page.path, '/d/b-2');
    assert.equal((await person.post(`undo/${json.undo}`)).json.page.path, '/a/b');
  });

  test('an undo that is no longer possible is refused and changes nothing', async (t) => {
    const { person, a, b, d, shape } = await start(t);
    const { undo } = (await person.post(`pages/${b}/move`, { parentId: d })).json;
    await person.delete(`pages/${a}`);
    assert.deepEqual((await person.post(`undo/${undo}`)).outcome, [
      409,
      {
        error: {
          code: 'conflict',
          message: 'undo_overtaken',
          why: { reason: 'undo_overtaken' },
        },
      },
    ]);
    assert.equal(await shape(), 'D(B(C)) E');
    assert.equal((await person.post('undo/12345')).status, 404);
  });

  test('a page is deleted with its descendants, and restored with ids, drafts and revisions', async (t) => {
    const { person, a, b, c, shape } = await start(t);
    await person.patch(`pages/${c}`, { body: 'More' }, ANY);
    await person.put(`pages/${c}/draft`, { fields: { body: 'Even more' }, basedOn: 1, draftAt: null });
    const { deleted, undo } = (await person.delete(`pages/${a}`)).json;
    assert.equal(deleted, 3);
    assert.equal(await shape(), 'D E');
    assert.equal((await person.get(`pages/${c}`)).status, 404);
    await person.post(`undo/${undo}`);
    assert.equal(await shape(), 'A(B(C)) D E');
    const { json } = await person.get(`pages/${c}`);
    assert.deepEqual([json.parentId, json.body, json.draft.fields], [b, 'More', { body: 'Even more' }]);
    assert.equal((await person.get(`pages/${c}/revisions`)).json.revisions.length, 1);
    assert.equal((await person.post(`undo/${undo}`)).status, 409);
  });

  test('a restored page gets a number in its name if that is taken, and goes to the root if its parent is gone', async (t) => {
    const { person, a, b, d, e, shape } = await start(t);
    const { undo } = (await person.delete(`pages/${b}`)).json;
    await person.post('pages', { name: 'B', parentId: a });
    const back = (await person.post(`undo/${undo}`)).json.page;
    assert.deepEqual([back.name, back.path, back.position], ['B 2', '/a/b-2', 1]);
    const inner = (await person.delete(`pages/${b}`)).json.undo;
    const outer = (await person.delete(`pages/${a}`)).json.undo;
    await person.delete(`pages/${d}`);
    // The parent is deleted, so the page is restored at the root.
    assert.equal((await person.post(`undo/${inner}`)).json.page.path, '/b-2');
    assert.equal(await shape(), 'E B 2(C)');
    await person.post(`undo/${outer}`);
    assert.equal(await shape(), 'A(B) E B 2(C)');
    assert.equal((await person.get(`pages/${e}`)).json.position, 2);
  });

  test('a copy follows its original, and is unpublished and without children', async (t) => {
    const { person, a, shape } = await start(t);
    const { page } = (await person.post(`pages/${a}/duplicate`)).json;
    assert.deepEqual(
      [page.name, page.urlname, page.position, page.isPublished, page.isHidden, page.body, page.createdBy],
      ['A 2', 'a-2', 2, false, false, 'This is A', 'The editor'],
    );
    await person.post(`pages/${a}/duplicate`);
    assert.equal(await shape(), 'A(B(C)) A 3 A 2 D E');
  });

  test('the log has moves and deletions with their user, and no previews', async (t) => {
    const { service, db, accountId, person, a, b, d } = await start(t);
    await person.post(`pages/${b}/move`, { parentId: d });
    await person.post(`pages/${b}/move`, { parentId: d, preview: true });
    await person.delete(`pages/${a}`);
    const owner = await signedInAs(service, db, accountId, 'owner');
    const { entries } = (await owner.get('log')).json;
    assert.deepEqual(
      entries
        .slice(0, 2)
        .map(({ actor, action, subject, details }: Record<string, unknown>) => [actor, action, subject, details]),
      [
        ['The editor', 'page.deleted', `page_${a}`, { name: 'A', pages: 1 }],
        ['The editor', 'page.moved', `page_${b}`, { to: `page_${d}`, name: 'B' }],
      ],
    );
  });
});
