import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../../test/factories.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { undoLastChange } from '../../pages/undo-last-change.ts';
import { up } from './066-undos-of-pages.ts';

onEachDatabase('migration 066, undos of pages', (open, kind) => {
  test('existing deletions are found by their page and can be undone', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const [first, second] = [await makePage(db, accountId, { userId }), await makePage(db, accountId, { userId })];
    await db.transaction().execute(async (trx) => {
      for (const id of [first, second]) await deletePage(trx, accountId, id, actor(userId));
      for (const statement of [
        'drop index undos_page',
        'alter table undos drop column page_id',
        'alter table undos drop column is_undo',
      ]) {
        await sql.raw(statement).execute(trx);
      }
      await up(trx as never, kind);
      await undoLastChange(trx, accountId, { pageId: first, basedOn: undefined, quota }, actor(userId));
    });
    const pages = await db.selectFrom('pages').select('id').where('account_id', '=', accountId).execute();
    assert.deepEqual(
      pages.map(({ id }) => id),
      [first],
    );
  });
});
