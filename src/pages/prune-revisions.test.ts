import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { countingDeletions } from '../../test/deletions.ts';
import { actor, makeAccount, makePage, quota } from '../../test/factories.ts';
import { MIN_REVISIONS_KEPT, pruneRevisions, REVISION_RETENTION_MS } from './prune-revisions.ts';
import { undoChange } from './undo-change.ts';
import { updatePage } from './update-page.ts';

const DAY = 24 * 60 * 60 * 1000;

onEachDatabase('pruning revisions', (open) => {
  test('the latest 200 revisions of a page are kept, and all that were replaced within 90 days', async (t) => {
    const { db } = await open(t);
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { accountId, userId } = await makeAccount(db);
    const [busy, quiet] = [await makePage(db, accountId, { userId }), await makePage(db, accountId, { userId })];
    const write = (id: number, bodies: readonly string[]) =>
      db.transaction().execute(async (trx) => {
        let undo: number | undefined;
        for (const body of bodies) {
          ({ undo } = await updatePage(
            trx,
            accountId,
            { id, basedOn: undefined, fields: { body }, quota },
            actor(userId),
          ));
        }
        return undo!;
      });
    const count = async (id: number) =>
      (await db.selectFrom('revisions').select('id').where('page_id', '=', id).execute()).length;
    const numbers = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `Text ${from + index}`);

    await write(quiet, ['One', 'Two']);
    await write(busy, numbers(0, MIN_REVISIONS_KEPT + 60));
    assert.equal(await pruneRevisions(db, start + REVISION_RETENTION_MS - 1), 0);
    t.mock.timers.setTime(start + 100 * DAY);
    const last = await write(busy, ['Three months later']);
    // The first text and its 260 successors, of which the last was replaced just now.
    assert.equal(await count(busy), MIN_REVISIONS_KEPT + 61);
    assert.equal(await pruneRevisions(db), 61);
    assert.deepEqual([await count(busy), await count(quiet)], [MIN_REVISIONS_KEPT, 2]);
    await db.transaction().execute((trx) => undoChange(trx, accountId, { id: last, quota }, actor(userId)));

    await write(busy, numbers(1000, 1000 + MIN_REVISIONS_KEPT));
    const kept = await count(busy);
    assert.equal(await pruneRevisions(db), MIN_REVISIONS_KEPT - 1, 'all that were replaced long ago');
    assert.equal(await count(busy), kept - (MIN_REVISIONS_KEPT - 1));
    assert.equal(await pruneRevisions(db), 0);
  });

  test('one transaction deletes only few long revisions', async (t) => {
    const { db } = await open(t);
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { accountId, userId } = await makeAccount(db);
    const long = 'x'.repeat(600_000);
    const id = await makePage(db, accountId, { userId, body: long });
    const bodies = Array.from({ length: MIN_REVISIONS_KEPT + 3 }, (_, index) => (index < 2 ? long : '') + index);
    await db.transaction().execute(async (trx) => {
      for (const body of bodies) {
        await updatePage(trx, accountId, { id, basedOn: undefined, fields: { body }, quota }, actor(userId));
      }
    });
    const { db: counting, deletions } = countingDeletions(db);
    assert.equal(await pruneRevisions(counting, start + REVISION_RETENTION_MS), 3);
    assert.deepEqual(
      deletions.filter((count) => count > 0),
      [1, 1, 1],
    );
  });
});
