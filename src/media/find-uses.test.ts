import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../test/factories.ts';
import type { Trx } from '../db/database.ts';
import { createPage } from '../pages/create-page.ts';
import { deletePage } from '../pages/delete-page.ts';
import { discardDraft, saveDraft } from '../pages/drafts.ts';
import { duplicatePage } from '../pages/duplicate-page.ts';
import { publishPage } from '../pages/publish-page.ts';
import { undoChange } from '../pages/undo-change.ts';
import { updatePage } from '../pages/update-page.ts';
import { findUses } from './find-uses.ts';

const hash = 'b1'.repeat(16);
const shown = `<img src="/media/${hash}-1x1.webp">`;

onEachDatabase('finding the pages of an image', (open) => {
  test('the pages of an image are up to date after each change of a text or draft', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const by = actor(userId);
    const change = <R>(work: (trx: Trx) => Promise<R>) => db.transaction().execute(work);
    const used = async () => (await findUses(db, accountId, hash)).pages.map(({ id }) => id);

    const id = await makePage(db, accountId, { userId, name: 'Bridges', body: shown + shown });
    await makePage(db, accountId, { userId, body: shown.replace('b1', 'b2') + shown.toUpperCase() });
    const other = await makeAccount(db);
    await makePage(db, other.accountId, { userId: other.userId, body: shown });
    assert.deepEqual(await findUses(db, accountId, hash), {
      pages: [{ id, name: 'Bridges' }],
      total: 1,
      hasMore: false,
    });

    const { undo } = await change((trx) =>
      updatePage(trx, accountId, { id, basedOn: undefined, fields: { body: '' }, quota }, by),
    );
    assert.deepEqual(await used(), []);
    await change((trx) => undoChange(trx, accountId, { id: undo!, quota }, by));
    assert.deepEqual(await used(), [id]);

    const copy = await change((trx) => duplicatePage(trx, accountId, { id, quota }, by));
    assert.deepEqual(await used(), [id, copy]);
    const deletion = await change((trx) => deletePage(trx, accountId, copy, by));
    assert.deepEqual(await used(), [id]);
    await change((trx) => undoChange(trx, accountId, { id: deletion.undo, quota }, by));
    assert.deepEqual(await used(), [id, copy]);
    await change((trx) => deletePage(trx, accountId, copy, by));

    const drafted = await makePage(db, accountId, { userId });
    const save = (fields: object, draftAt: number | null) =>
      change((trx) => saveDraft(trx, accountId, { id: drafted, userId, fields, basedOn: 1, draftAt, quota }));
    const first = await save({ body: shown }, null);
    assert.deepEqual(await used(), [id, drafted]);
    const second = await save({ body: '' }, first.updatedAt);
    assert.deepEqual(await used(), [id]);
    const third = await save({ body: shown }, second.updatedAt);
    await change((trx) => discardDraft(trx, accountId, { id: drafted, userId, draftAt: third.updatedAt }));
    assert.deepEqual(await used(), [id]);
    const { updatedAt: draftAt } = await save({ body: shown }, null);
    const { version: basedOn } = await db
      .selectFrom('pages')
      .select('version')
      .where('id', '=', drafted)
      .executeTakeFirstOrThrow();
    await change((trx) => publishPage(trx, accountId, { id: drafted, basedOn, fields: undefined, draftAt, quota }, by));
    assert.deepEqual(await used(), [id, drafted]);
    const notes = await db.selectFrom('page_images').select('draft_by').where('page_id', '=', drafted).execute();
    assert.deepEqual(
      notes.map(({ draft_by }) => draft_by),
      [0],
    );
  });

  test('at most 200 pages of an image are counted, without deleted ones', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const create = (name: string, body: string) =>
      createPage(db, accountId, {
        name,
        body,
        parentId: undefined,
        isHidden: undefined,
        description: undefined,
        bodyFormat: undefined,
        quota,
        ip: '192.0.2.1',
        userId,
      });
    const ids = await Promise.all(
      Array.from({ length: 420 }, (_, index) => create(`Page ${index}`, index < 210 ? '' : shown)),
    );
    const showing = ids.slice(210).sort((a, b) => a - b);
    const many = await findUses(db, accountId, hash);
    assert.deepEqual(
      many.pages.map(({ id }) => id),
      showing.slice(0, 20),
    );
    assert.deepEqual([many.total, many.hasMore], [200, true]);
    // Deletes from the end, where no page has to move up.
    for (const id of showing.slice(5).reverse()) {
      await db.transaction().execute((trx) => deletePage(trx, accountId, id, actor(userId)));
    }
    const few = await findUses(db, accountId, hash);
    assert.deepEqual(
      few.pages.map(({ id }) => id),
      showing.slice(0, 5),
    );
    assert.deepEqual([few.total, few.hasMore], [5, false]);
  });

  test('the first 200 images of a text are recorded, and later ones are not', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const hashes = Array.from({ length: 201 }, (_, index) => String(index).padStart(32, '0'));
    const body = hashes.map((hash) => `![](/media/${hash}-1x1.webp)`).join('');
    await makePage(db, accountId, { userId, body });
    const totals = await Promise.all(hashes.map(async (hash) => (await findUses(db, accountId, hash)).total));
    assert.deepEqual(totals, [...Array(200).fill(1), 0]);
  });
});
