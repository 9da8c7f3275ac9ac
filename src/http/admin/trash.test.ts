import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makePage, quota } from '../../../test/factories.ts';
import { signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { addMedia } from '../../media/add-media.ts';
import { MAX_DEPTH } from '../../pages/page.ts';
import { UNDO_RETENTION_MS } from '../../pages/undos.ts';

onEachDatabase('the trash', (open) => {
  /** Creates the pages A > B > C, D, and E at the root. */
  async function start(t: Parameters<typeof open>[0], options = {}) {
    const started = await startWithAccount(t, open, options);
    const { service, db, accountId, userId, key } = started;
    const person = await signedInAs(service, db, accountId, 'editor');
    const make = (name: string, parentId = 0) =>
      makePage(db, accountId, { userId, name, body: `This is ${name}`, parentId: String(parentId) });
    const a = await make('A');
    const b = await make('B', a);
    const [c, d] = [await make('C', b), await make('D', b)];
    const e = await make('E');
    /** Returns the tree in the form `A(B(C D)) E`. Checks that positions have no gaps. */
    const shape = async () => {
      const write = (pages: Awaited<ReturnType<typeof service.pages>>): string =>
        pages
          .map(({ name, children, position }, index) => {
            assert.equal(position, String(index + 1));
            return children.length > 0 ? `${name}(${write(children)})` : name;
          })
          .join(' ');
      return write(await service.pages(key));
    };
    const trash = async () => (await person.get('trash/pages')).json.deletions;
    const restore = async (id: number) => (await person.post(`trash/pages/${id}/restore`)).json;
    const restored = async (id: number) => {
      const { pages, isElsewhere, hasNewUrlname, renamed, page } = await restore(id);
      return [pages, isElsewhere, hasNewUrlname, renamed, page.path];
    };
    const purged = async () => {
      const left = () => db.selectFrom('undos').select('id').where('created_at', '=', 0).execute();
      while ((await left()).length > 0) await setImmediate();
    };
    return { ...started, person, make, a, b, c, d, e, shape, trash, restore, restored, purged };
  }

  test('the trash lists deletions with user, time and former parent, the latest first', async (t) => {
    const { person, a, b, c, e, trash } = await start(t);
    assert.deepEqual((await person.get('trash/pages')).json, {
      deletions: [],
      hasMore: false,
      total: 0,
      isTotalExact: true,
    });
    for (const id of [c, b, a, e]) await person.delete(`pages/${id}`);
    const listed = await trash();
    assert.deepEqual(
      listed.map((one: Record<string, unknown>) => [one.id, one.name, one.pages, one.parent, one.deletedBy]),
      [
        [e, 'E', 1, null, 'The editor'],
        [a, 'A', 1, null, 'The editor'],
        [b, 'B', 2, { name: 'A', isDeleted: true }, 'The editor'],
        [c, 'C', 1, { name: 'B', isDeleted: true }, 'The editor'],
      ],
    );
    const [{ deletedAt, expiresAt }] = listed;
    assert.equal(expiresAt - deletedAt, UNDO_RETENTION_MS);
    const found = (await person.get(`trash/pages?page=${b}`)).json;
    assert.deepEqual(found.deletions, [listed[2]]);
    assert.deepEqual((await person.get('trash/pages?page=12345')).json.deletions, []);
  });

  test('the trash lists 50 deletions at a time, and counts up to 1,000', async (t) => {
    const { person, db, accountId, userId } = await start(t);
    const ids = Array.from({ length: 1002 }, (_, index) => 1000 + index);
    const by = { created_at: 0, created_by: userId, updated_at: 0, updated_by: userId };
    const of = { account_id: accountId, is_hidden: 0, body: '', body_format: '', custom_date: 0, version: 1 } as const;
    await db.transaction().execute(async (trx) => {
      const same = {
        account_id: accountId,
        user_id: userId,
        kind: 'delete',
        created_at: Date.now(),
        used_at: null,
      } as const;
      const undos = ids.map((id) => ({ ...same, id, payload: JSON.stringify({ pageId: id, pages: 1 }) }));
      await trx.insertInto('undos').values(undos).execute();
      const pages = ids.map((id) => ({ ...of, ...by, id, undo_id: id, name: `${id}`, urlname: `${id}`, position: 1 }));
      await trx.insertInto('removed_pages').values(pages).execute();
    });
    const first = (await person.get('trash/pages')).json;
    assert.deepEqual([first.deletions.length, first.hasMore, first.total, first.isTotalExact], [50, true, 1000, false]);
    const second = (await person.get(`trash/pages?before=${first.deletions.at(-1).undo}`)).json;
    assert.equal(second.deletions[0].id, first.deletions.at(-1).id - 1);
  });

  test('a page is restored with its descendants, and can be deleted again', async (t) => {
    const { person, a, shape, trash, restored } = await start(t);
    assert.deepEqual((await person.get(`pages/${a}/subtree`)).json, { pages: 4 });
    await person.delete(`pages/${a}`);
    assert.equal(await shape(), 'E');
    assert.equal((await person.get(`pages/${a}/subtree`)).status, 404);
    assert.deepEqual(await restored(a), [4, false, false, 0, '/a']);
    assert.equal(await shape(), 'A(B(C D)) E');
    assert.deepEqual(await trash(), []);
    assert.equal((await person.post(`trash/pages/${a}/restore`)).status, 404);
    await person.delete(`pages/${a}`);
    assert.equal((await trash()).length, 1);
  });

  test('a descendant of a deleted page can be restored alone, below its nearest ancestor that exists', async (t) => {
    const { person, a, b, c, d, shape, trash, restored } = await start(t);
    const below = async (id: number) =>
      (await person.get(`trash/pages/${id}/children`)).json.pages.map((one: Record<string, unknown>) => [
        ...[one.name, one.position, one.hasChildren],
      ]);
    await person.delete(`pages/${b}`);
    assert.deepEqual(await below(b), [
      ['C', 1, false],
      ['D', 2, false],
    ]);
    assert.deepEqual(await restored(c), [1, true, false, 0, '/a/c']);
    assert.equal(await shape(), 'A(C) E');
    assert.deepEqual(await below(b), [['D', 1, false]]);
    const [rest] = await trash();
    assert.deepEqual([rest.id, rest.pages], [b, 2]);
    await person.delete(`pages/${a}`);
    assert.deepEqual(await restored(d), [1, true, false, 0, '/d']);
    assert.deepEqual(await restored(a), [2, false, false, 0, '/a']);
    assert.deepEqual(await restored(b), [1, false, false, 0, '/a/b']);
    assert.equal(await shape(), 'A(B C) E D');
    assert.equal((await person.get(`trash/pages/${a}/children`)).status, 404);
  });

  test('a restored page whose name and address are taken gets a number in both', async (t) => {
    const { person, e, make, restored, shape } = await start(t);
    await person.delete(`pages/${e}`);
    await make('E');
    assert.deepEqual(await restored(e), [1, false, true, 1, '/e-2']);
    assert.equal(await shape(), 'A(B(C D)) E 2 E');
  });

  test('a page whose parent is too deep by now is restored at the root', async (t) => {
    const { person, b, c, d, make, restored } = await start(t);
    for (const id of [c, d]) await person.delete(`pages/${id}`);
    let deep = await make('Level 1');
    for (let level = 2; level < MAX_DEPTH; level++) deep = await make(`Level ${level}`, deep);
    assert.equal((await person.post(`pages/${b}/move`, { parentId: deep })).status, 200);
    assert.deepEqual(await restored(c), [1, true, false, 0, '/c']);
  });

  test('a page can be restored even if the storage is full, and deleting a page for good frees storage', async (t) => {
    const { person, db, accountId, purged, restored } = await start(t, { PAGE_QUOTA: '4000' });
    const write = async (name: string) =>
      (await person.post('pages', { name, body: 'x'.repeat(1900), bodyFormat: 'markdown_format' })).json.id;
    const [first, second] = [await write('First'), await write('Second')];
    await person.delete(`pages/${first}`);
    assert.equal(await write('Third'), undefined);
    assert.deepEqual(await restored(first), [1, false, false, 0, '/first']);
    await person.delete(`pages/${second}`);
    assert.deepEqual((await person.delete(`trash/pages/${second}`)).outcome, [200, { discarded: 1 }]);
    await purged();
    const { page_bytes } = await db
      .selectFrom('accounts')
      .select('page_bytes')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    assert.ok(page_bytes < 2000, String(page_bytes));
    assert.ok((await write('Third')) > 0);
    assert.equal((await person.post(`trash/pages/${second}/restore`)).status, 404);
  });

  test('a descendant can be deleted for good alone, and the rest of its deletion can be restored', async (t) => {
    const { person, a, b, purged, restored, shape } = await start(t);
    await person.delete(`pages/${a}`);
    assert.deepEqual((await person.delete(`trash/pages/${b}`)).json, { discarded: 3 });
    await purged();
    assert.deepEqual(await restored(a), [1, false, false, 0, '/a']);
    assert.equal(await shape(), 'A E');
  });

  test('the log shows which pages and images are in the trash', async (t) => {
    const { service, person, db, accountId, a, e, restored } = await start(t);
    for (const id of [a, e]) await person.delete(`pages/${id}`);
    await restored(e);
    const owner = await signedInAs(service, db, accountId);
    const { entries } = (await owner.get('log')).json;
    assert.deepEqual(
      entries.slice(0, 3).map((one: Record<string, unknown>) => [one.action, one.subject, one.pageId, one.isInTrash]),
      [
        ['page.undone', `page_${e}`, e, false],
        ['page.deleted', `page_${e}`, e, false],
        ['page.deleted', `page_${a}`, null, true],
      ],
    );
  });

  test('emptying the trash deletes for good only what the user has seen', async (t) => {
    const { person, a, c, e, db, accountId, trash, purged } = await start(t);
    await person.delete(`pages/${c}`);
    await person.delete(`pages/${e}`);
    const [{ undo }] = await trash();
    await person.delete(`pages/${a}`);
    assert.deepEqual((await person.delete(`trash/pages?upTo=${undo}`)).outcome, [200, { discarded: 2 }]);
    assert.deepEqual((await person.delete(`trash/pages?upTo=${undo}`)).outcome, [200, { discarded: 0 }]);
    assert.deepEqual(
      (await trash()).map(({ id }: { id: number }) => id),
      [a],
    );
    assert.equal((await person.delete('trash/pages')).status, 400);
    await purged();
    const left = await db.selectFrom('removed_pages').select('name').where('account_id', '=', accountId).execute();
    assert.deepEqual(left.map(({ name }) => name).sort(), ['A', 'B', 'D']);
    const events = db.selectFrom('audit_log').select(['subject', 'details']).where('action', '=', 'trash.emptied');
    assert.deepEqual(
      (await events.execute()).map(({ subject, details }) => [subject, JSON.parse(details)]),
      [[`account_${accountId}`, { deletions: 2 }]],
    );
  });

  test('600 children are listed in parts, and restored and deleted for good with their parent', async (t) => {
    const { person, db, accountId, userId, e, restore, purged } = await start(t);
    const by = { created_at: 0, created_by: userId, updated_at: 0, updated_by: userId };
    const children = Array.from({ length: 600 }, (_, index) => ({
      account_id: accountId,
      parent_id: e,
      name: `Child ${index}`,
      urlname: `${index}`,
      position: index + 1,
      is_hidden: 0 as const,
      body: '',
      body_format: '' as const,
      custom_date: 0,
      version: 1,
      ...by,
    }));
    await db.transaction().execute((trx) => trx.insertInto('pages').values(children).execute());
    assert.deepEqual((await person.get(`pages/${e}/subtree`)).json, { pages: 601 });
    assert.equal((await person.delete(`pages/${e}`)).json.deleted, 601);
    const { json } = await person.get(`trash/pages/${e}/children`);
    assert.deepEqual([json.pages.length, json.hasMore, json.pages[99].position], [100, true, 100]);
    const next = (await person.get(`trash/pages/${e}/children?after=100`)).json;
    assert.equal(next.pages[0].position, 101);
    assert.equal((await restore(e)).pages, 601);
    await person.delete(`pages/${e}`);
    assert.deepEqual((await person.delete(`trash/pages/${e}`)).json, { discarded: 601 });
    await purged();
    await person.delete(`pages/${(await person.get('pages')).json.pages[0].id}`);
    assert.equal((await db.selectFrom('removed_pages').select('id').execute()).length, 4);
  });

  test('deleted images are listed with their user, restored, and deleted for good one by one or all together', async (t) => {
    const { person, db, accountId, userId } = await start(t);
    const add = async (name: string) => {
      const hash = randomBytes(16).toString('hex');
      const input = {
        hash,
        kind: 'png',
        width: 2,
        height: 1,
        isMoving: false,
        name,
        folder: `${accountId}/${hash}`,
      } as const;
      const files = { [`${hash}-2x1.webp`]: 1 };
      const added = await db
        .transaction()
        .execute((trx) => addMedia(trx, accountId, { ...input, quota, files }, actor(userId)));
      return added.media.id;
    };
    const ids: number[] = [];
    for (const name of ['one.png', 'two.png', 'three.png']) ids.push(await add(name));
    const [one, two, three] = ids as [number, number, number];
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    for (const id of ids) {
      t.mock.timers.setTime(Date.now() + 1);
      assert.equal((await person.delete(`media/${id}`)).status, 200);
    }
    const listed = async (query = '') => (await person.get(`trash/images${query}`)).json.images;
    const [latest, ...others] = await listed();
    assert.deepEqual([latest.id, latest.name, latest.deletedBy], [three, 'three.png', 'The editor']);
    assert.deepEqual(others, await listed(`?removedAt=${latest.deletedAt}&id=${latest.id}`));
    assert.equal(latest.expiresAt - latest.deletedAt, UNDO_RETENTION_MS);
    assert.deepEqual(await listed('/search?q=THREE'), [latest]);
    assert.deepEqual(await listed('/search?q=%20'), []);
    const change = async (kind: string, changed: number[]) =>
      (await person.post('trash/images/changes', { kind, ids: changed })).json.results;
    assert.deepEqual(await change('restore', [one, 12345]), [
      { id: one, count: 1 },
      { id: 12345, code: 'not_found', why: null },
    ]);
    assert.deepEqual(await listed('/search?q=one'), []);
    t.mock.timers.setTime(others[1].deletedAt);
    assert.deepEqual(await change('delete', [one]), [{ id: one, count: 1 }]);
    assert.equal((await person.post(`media/${three}/restore`)).status, 200);
    assert.deepEqual(
      (await listed()).map(({ id }: { id: number }) => id),
      [two, one],
    );
    assert.equal((await person.delete(`trash/images/${two}`)).status, 204);
    assert.equal((await person.delete(`trash/images/${two}`)).status, 404);
    assert.equal((await person.delete(`trash/images/${three}`)).status, 404);
    assert.equal((await person.post(`media/${two}/restore`)).status, 409);
    assert.deepEqual((await person.delete(`trash/images?upTo=${others[1].deletedAt - 1}`)).json, { discarded: 0 });
    assert.deepEqual((await person.delete(`trash/images?upTo=${others[1].deletedAt}`)).json, { discarded: 1 });
    assert.deepEqual(await listed(), []);
  });
});
