import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { countingDeletions } from '../../test/deletions.ts';
import { actor, makeAccount, makePage, quota } from '../../test/factories.ts';
import { dialectOf, type Trx } from '../db/database.ts';
import { deletePage } from './delete-page.ts';
import { discardDeletedPage } from './discard-deleted-pages.ts';
import { saveDraft } from './drafts.ts';
import { purgeDeletedPages } from './purge-deleted-pages.ts';
import { restoreFromTrash } from './restore-from-trash.ts';
import { undoChange } from './undo-change.ts';
import { UNDO_RETENTION_MS } from './undos.ts';
import { updatePage } from './update-page.ts';

onEachDatabase('purging deleted pages', (open) => {
  test('a deleted page is purged after 30 days with everything that belongs to it, and other pages stay', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const change = db.transaction();
    const make = async (name: string) => {
      const id = await makePage(db, accountId, { userId, name });
      const fields = { urlname: `${name}-new`, body: `/media/${'a'.repeat(32)}-1x1.webp` };
      await change.execute((trx) =>
        updatePage(trx, accountId, { id, basedOn: undefined, fields, quota }, actor(userId)),
      );
      await change.execute((trx) =>
        saveDraft(trx, accountId, { id, userId, fields, basedOn: 1, draftAt: null, quota }),
      );
      return id;
    };
    const [kept, deleted, restored] = [await make('kept'), await make('deleted'), await make('restored')];
    const { undo } = await change.execute((trx) => deletePage(trx, accountId, deleted, actor(userId)));
    const other = await change.execute((trx) => deletePage(trx, accountId, restored, actor(userId)));
    await change.execute((trx) => undoChange(trx, accountId, { id: other.undo, quota }, actor(userId)));
    const left = async () => {
      const tables = ['revisions', 'drafts', 'redirects', 'page_images'] as const;
      const rows = tables.map((table) => db.selectFrom(table).select('page_id').execute());
      return [...new Set((await Promise.all(rows)).flat().map(({ page_id }) => page_id))].sort((a, b) => a - b);
    };

    assert.equal(await purgeDeletedPages(db, Date.now() + UNDO_RETENTION_MS - 60_000), 0);
    assert.deepEqual(await left(), [kept, deleted, restored]);
    assert.equal(await purgeDeletedPages(db, Date.now() + UNDO_RETENTION_MS), 5);
    assert.deepEqual(await left(), [kept, restored]);
    assert.deepEqual(await db.selectFrom('removed_pages').select('id').execute(), []);
    const again = change.execute((trx) => undoChange(trx, accountId, { id: undo, quota }, actor(userId)));
    await assert.rejects(again, { code: 'not_found' });
  });

  test('restored pages return to their places after another page was deleted for good in between', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const by = actor(userId);
    const change = <T>(work: (trx: Trx) => Promise<T>) => db.transaction().execute(work);
    const parentId = String(await makePage(db, accountId, { userId, name: 'top' }));
    const ids = new Map<string, number>();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      ids.set(name, await makePage(db, accountId, { userId, name, parentId }));
    }
    for (const name of ['e', 'b', 'c']) await change((trx) => deletePage(trx, accountId, ids.get(name)!, by));
    await change((trx) => discardDeletedPage(trx, accountId, ids.get('c')!, by));
    assert.equal(await purgeDeletedPages(db), 1);
    for (const name of ['e', 'b']) await change((trx) => restoreFromTrash(trx, accountId, ids.get(name)!, by));
    const pages = await db.selectFrom('pages').select('name').where('name', '<>', 'top').orderBy('position').execute();
    assert.equal(pages.map(({ name }) => name).join(''), 'abdef');
  });

  test('a page with more descendants than one statement purges is purged completely', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const top = await makePage(db, accountId, { userId, name: 'Top' });
    const by = { created_at: 0, created_by: userId, updated_at: 0, updated_by: userId };
    const children = Array.from({ length: 1100 }, (_, index) => ({
      account_id: accountId,
      parent_id: top,
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
    await db.transaction().execute((trx) => deletePage(trx, accountId, top, actor(userId)));
    assert.equal((await db.selectFrom('redirects').select('id').execute()).length, 1101);
    assert.equal(await purgeDeletedPages(db, Date.now() + UNDO_RETENTION_MS), 1);
    for (const table of ['redirects', 'removed_pages', 'undos'] as const) {
      assert.deepEqual(await db.selectFrom(table).select('id').execute(), [], table);
    }
  });

  test('purging rewrites no long text, neither of the page nor of its siblings', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const by = actor(userId);
    const body = 'x'.repeat(2_000_000);
    const [first, second] = [
      await makePage(db, accountId, { userId, name: 'First', body }),
      await makePage(db, accountId, { userId, name: 'Second', body }),
    ];
    for (const id of [second, first]) await db.transaction().execute((trx) => deletePage(trx, accountId, id, by));
    await db.transaction().execute((trx) => discardDeletedPage(trx, accountId, first, by));
    if (dialectOf(db) === 'sqlite') {
      const refused = sql`create trigger anew before update on removed_pages begin select raise(abort, 'written'); end`;
      await db.transaction().execute((trx) => refused.execute(trx));
    }
    assert.equal(await purgeDeletedPages(db), 1);
    if (dialectOf(db) === 'sqlite') {
      await db.transaction().execute((trx) => sql`drop trigger anew`.execute(trx));
    }
    await db.transaction().execute((trx) => restoreFromTrash(trx, accountId, second, by));
    const left = await db.selectFrom('pages').select(['name', 'position']).execute();
    assert.deepEqual(
      left.map(({ name, position }) => [name, position]),
      [['Second', 1]],
    );
  });

  test('one transaction purges only few long texts', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const change = db.transaction();
    const body = 'x'.repeat(600_000);
    const top = await makePage(db, accountId, { userId, body });
    for (let count = 0; count < 2; count++) await makePage(db, accountId, { userId, body, parentId: String(top) });
    for (const { id } of await db.selectFrom('pages').select('id').execute()) {
      const fields = { body: `${body}!` };
      await change.execute((trx) =>
        updatePage(trx, accountId, { id, basedOn: undefined, fields, quota }, actor(userId)),
      );
      await change.execute((trx) =>
        saveDraft(trx, accountId, { id, userId, fields, basedOn: 1, draftAt: null, quota }),
      );
    }
    await change.execute((trx) => deletePage(trx, accountId, top, actor(userId)));
    const { db: counting, deletions } = countingDeletions(db);
    await purgeDeletedPages(counting, Date.now() + UNDO_RETENTION_MS);
    assert.deepEqual(
      deletions.filter((count) => count > 1),
      [2],
      'only the two short redirects of the child pages are deleted together',
    );
    for (const table of ['revisions', 'drafts', 'removed_pages'] as const) {
      assert.deepEqual(await db.selectFrom(table).select('account_id').execute(), [], table);
    }
    const { page_bytes } = await db.selectFrom('accounts').select('page_bytes').executeTakeFirstOrThrow();
    assert.equal(page_bytes, 0);
  });
});
