import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../../test/factories.ts';
import { startWithSite, visit } from '../../../test/visit.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { movePage } from '../../pages/move-page.ts';
import { undoChange } from '../../pages/undo-change.ts';
import { updatePage } from '../../pages/update-page.ts';

onEachDatabase('pages that have moved', (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithSite(t, open, [
      'Home',
      { name: 'Docs', children: [{ name: 'Guide', children: [{ name: 'Start' }] }] },
      { name: 'Help', isHidden: true },
    ]);
    const { service, db, accountId, userId, host } = started;
    const rows = await db.selectFrom('pages').select(['id', 'name']).where('account_id', '=', accountId).execute();
    const ids = Object.fromEntries(rows.map(({ id, name }) => [name, id]));
    const change = db.transaction();
    return {
      ...started,
      ids,
      /** Returns the status and, for redirects, the location. */
      at: async (path: string) => {
        const { status, headers } = await visit(service, host, path);
        return headers.location === undefined ? status : [status, headers.location];
      },
      rename: (id: number, urlname: string) =>
        change.execute((trx) =>
          updatePage(trx, accountId, { id, basedOn: undefined, fields: { urlname }, quota }, actor(userId)),
        ),
      move: (id: number, parentId: number | null) =>
        change.execute((trx) => movePage(trx, accountId, { id, parentId, position: undefined }, actor(userId))),
      remove: (id: number) => change.execute((trx) => deletePage(trx, accountId, id, actor(userId))),
      undo: (id: number) => change.execute((trx) => undoChange(trx, accountId, { id, quota }, actor(userId))),
    };
  }

  test('every former URL of a subtree redirects directly to the current one', async (t) => {
    const { at, rename, move, ids } = await start(t);
    await rename(ids.Docs!, 'manual');
    await move(ids.Guide!, ids.Help!);
    await rename(ids.Help!, 'support');
    assert.deepEqual(await at('/docs'), [301, '/manual']);
    for (const path of ['/docs/guide/start', '/manual/guide/start', '/help/guide/start']) {
      assert.deepEqual(await at(path), [301, '/support/guide/start']);
    }
    assert.deepEqual(await at('/help'), [301, '/support']);
    assert.deepEqual(await at('/docs/guide?x=1'), [301, '/support/guide?x=1']);
    assert.equal(await at('/docs/other'), 404);
  });

  test('renaming a page back to a former URL causes no redirect loop', async (t) => {
    const { at, rename, ids } = await start(t);
    await rename(ids.Docs!, 'a');
    await rename(ids.Docs!, 'b');
    await rename(ids.Docs!, 'docs');
    assert.equal(await at('/docs'), 200);
    assert.deepEqual(await at('/a'), [301, '/docs']);
    assert.deepEqual(await at('/b'), [301, '/docs']);
  });

  test('a new page at a former URL is served; after it moves, the URL redirects to the last page there', async (t) => {
    const { at, rename, remove, ids, db, accountId, userId } = await start(t);
    await rename(ids.Docs!, 'manual');
    const fresh = await makePage(db, accountId, { userId, name: 'docs' });
    assert.equal(await at('/docs'), 200);
    // URLs below the old page still redirect to it.
    assert.deepEqual(await at('/docs/guide'), [301, '/manual/guide']);
    await rename(fresh, 'newer');
    assert.deepEqual(await at('/docs'), [301, '/newer']);
    await remove(fresh);
    assert.deepEqual(await at('/docs'), [301, '/manual']);
    await remove(ids.Docs!);
    assert.equal(await at('/docs'), 404);
  });

  test('an undone move restores the URL, and the URL in between redirects', async (t) => {
    const { at, move, remove, undo, ids } = await start(t);
    const moved = await move(ids.Guide!, null);
    assert.deepEqual(await at('/docs/guide/start'), [301, '/guide/start']);
    await undo(moved.undo!);
    assert.equal(await at('/docs/guide/start'), 200);
    assert.deepEqual(await at('/guide/start'), [301, '/docs/guide/start']);
    const removed = await remove(ids.Docs!);
    assert.equal(await at('/guide/start'), 404);
    await undo(removed.undo);
    assert.deepEqual(await at('/guide/start'), [301, '/docs/guide/start']);
  });

  test('undoing a move keeps the redirects of other pages', async (t) => {
    const { at, rename, move, remove, undo, ids } = await start(t);
    await rename(ids.Guide!, 'handbook');
    assert.deepEqual(await at('/docs/guide/start'), [301, '/docs/handbook/start']);
    // Another page moves to the former URL, and back.
    await rename(ids.Help!, 'guide');
    const moved = await move(ids.Help!, ids.Docs!);
    assert.equal(await at('/docs/guide'), 200);
    await undo(moved.undo!);
    assert.deepEqual(await at('/docs/guide'), [301, '/docs/handbook']);

    await rename(ids.Docs!, 'manual');
    const renamed = await rename(ids.Help!, 'docs');
    assert.equal(await at('/docs'), 200);
    await undo(renamed.undo!);
    assert.deepEqual(await at('/docs'), [301, '/manual']);
    await remove(ids.Docs!);
    assert.deepEqual(await at('/docs'), [301, '/guide']);
  });

  test('a former URL of the home page redirects to /', async (t) => {
    const { at, rename, ids } = await start(t);
    await rename(ids.Home!, 'welcome');
    assert.deepEqual(await at('/home'), [301, '/']);
  });

  test("former URLs of one account's pages do not redirect on another site", async (t) => {
    const { rename, ids, service, db } = await start(t);
    await rename(ids.Docs!, 'manual');
    await makeAccount(db, 'other-agency');
    assert.equal((await visit(service, 'other-agency.sites.test', '/docs')).status, 404);
  });
});
