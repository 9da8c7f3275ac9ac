import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../../test/factories.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { saveDraft } from '../../pages/drafts.ts';
import { up } from './021-page-images.ts';

onEachDatabase('migration 021, images of pages', (open, kind) => {
  test('the images in the texts of existing pages, drafts and deleted pages are recorded', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const hash = (number: number) => String(number).padStart(32, 'a');
    const show = (...numbers: number[]) =>
      numbers.map((number) => `<img src="/media/${hash(number)}-1x1.webp">`).join('');
    const long = 'x'.repeat(600_000);
    for (const body of [show(1, 2, 1), '', '/media/', long + show(3), long + show(4)]) {
      await makePage(db, accountId, { userId, body });
    }
    for (let count = 0; count < 250; count++) await makePage(db, accountId, { userId, body: show(5) });
    const last = await makePage(db, accountId, { userId, body: show(6) });
    const draft = { id: last, userId, fields: { body: show(7) }, basedOn: 1, draftAt: null, quota };
    await db.transaction().execute((trx) => saveDraft(trx, accountId, draft));
    const deleted = await makePage(db, accountId, { userId, body: show(8) });
    await db.transaction().execute((trx) => deletePage(trx, accountId, deleted, actor(userId)));
    await makePage(db, accountId, { userId, body: show(...Array.from({ length: 300 }, (_, index) => 1000 + index)) });
    const recordedImages = () =>
      db.selectFrom('page_images').selectAll().orderBy('page_id').orderBy('draft_by').orderBy('hash').execute();
    const before = await recordedImages();
    assert.equal(before.length, 2 + 2 + 250 + 3 + 200);
    await db.transaction().execute(async (trx) => {
      await sql`drop table page_images`.execute(trx);
      await up(trx as never, kind);
    });
    assert.deepEqual(await recordedImages(), before);
  });
});
