import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makePage } from '../../../test/factories.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { up } from './022-trash.ts';

onEachDatabase('migration 022, trash', (open, kind) => {
  test('existing deletions get the number of their pages', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const parent = await makePage(db, accountId, { userId });
    await makePage(db, accountId, { userId, parentId: String(parent) });
    await db.transaction().execute(async (trx) => {
      await deletePage(trx, accountId, parent, actor(userId));
      const payload = JSON.stringify({ pageId: parent });
      await trx.updateTable('undos').set({ payload }).where('account_id', '=', accountId).execute();
      for (const name of ['undos_deletions', 'removed_pages_place', 'media_trash']) {
        await sql`drop index ${sql.id(name)}`.execute(trx);
      }
      await sql`alter table media drop column removed_by`.execute(trx);
      await up(trx as never, kind);
    });
    const { payload } = await db.selectFrom('undos').select('payload').executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(payload), { pageId: parent, pages: 2 });
  });
});
