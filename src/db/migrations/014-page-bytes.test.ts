import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../../test/factories.ts';
import { deletePage } from '../../pages/delete-page.ts';
import { saveDraft } from '../../pages/drafts.ts';
import { updatePage } from '../../pages/update-page.ts';
import { up } from './014-page-bytes.ts';

onEachDatabase('migration 014, bytes of pages', (open, kind) => {
  test('existing accounts get the number of bytes of their pages, revisions, deleted pages and drafts', async (t) => {
    const { db } = await open(t);
    const [{ accountId, userId }, empty] = [await makeAccount(db), await makeAccount(db)];
    const change = db.transaction();
    const id = await makePage(db, accountId, { userId, body: 'für', description: '€' });
    const gone = await makePage(db, accountId, { userId, body: '12345' });
    await change.execute((trx) =>
      updatePage(trx, accountId, { id, basedOn: undefined, fields: { body: '' }, quota }, actor(userId)),
    );
    await change.execute((trx) =>
      saveDraft(trx, accountId, { id, userId, fields: { body: 'ü' }, basedOn: 1, draftAt: null, quota }),
    );
    await change.execute((trx) => deletePage(trx, accountId, gone, actor(userId)));
    await db.transaction().execute(async (trx) => {
      await sql`alter table accounts drop column page_bytes`.execute(trx);
      await up(trx as never, kind);
    });
    const accounts = await db.selectFrom('accounts').select(['id', 'page_bytes']).orderBy('id').execute();
    assert.deepEqual(
      accounts.map(({ id, page_bytes }) => [id, page_bytes]),
      [
        [accountId, 7 + 3 + 5 + Buffer.byteLength('{"body":"ü"}')],
        [empty.accountId, 0],
      ],
    );
  });
});
