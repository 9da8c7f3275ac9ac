import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { raiseContentVersion } from './content-version.ts';
import { createPageAtOnce } from './create-page-at-once.ts';
import { MAX_DEPTH } from './page.ts';

onEachDatabase('creating a page in one statement', (open, kind) => {
  const input = (userId: number, name: string, more: { parentId?: string; bodyFormat?: string } = {}) => ({
    ...{
      body: '<p>Hello</p>',
      description: undefined,
      isHidden: undefined,
      bodyFormat: undefined,
      parentId: undefined,
    },
    ...{ name, userId, ...more },
  });
  const account = (db: Db, id: number) =>
    db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  if (kind === 'sqlite') {
    test('is left to a transaction', async (t) => {
      const { db } = await open(t);
      const { accountId, userId } = await makeAccount(db);
      assert.equal(await createPageAtOnce(db, accountId, input(userId, 'Prices')), undefined);
      assert.deepEqual(await db.selectFrom('pages').select('id').execute(), []);
    });
    return;
  }

  test('gives the page what a transaction would', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const before = await account(db, accountId);
    const first = await createPageAtOnce(db, accountId, input(userId, 'About us'));
    const child = await createPageAtOnce(db, accountId, input(userId, 'The team', { parentId: `page_${first}` }));
    const second = await createPageAtOnce(db, accountId, input(userId, 'Prices', { bodyFormat: 'markdown_format' }));
    const after = await account(db, accountId);

    const pages = await db.selectFrom('pages').selectAll().orderBy('id').execute();
    assert.deepEqual(
      pages.map(({ id, parent_id, urlname, position, body_format, version }) => [
        ...[id, parent_id, urlname, position, body_format, version],
      ]),
      [
        [first, null, 'about-us', 1, before.editor, before.content_version + 1],
        [child, first, 'the-team', 1, before.editor, before.content_version + 2],
        [second, null, 'prices', 2, 'markdown_format', before.content_version + 3],
      ],
    );
    assert.equal(after.content_version, before.content_version + 3);
    assert.equal(after.content_changed_at, pages[2]!.created_at);
  });

  test('creates nothing where another change of the tree came between', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const holding = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const other = db.transaction().execute(async (trx) => {
      await raiseContentVersion(trx, accountId, 1);
      await trx.updateTable('accounts').set({ name: 'Changed' }).where('id', '=', accountId).execute();
      holding.resolve();
      await letGo.promise;
    });
    await holding.promise;
    const creation = createPageAtOnce(db, accountId, input(userId, 'Prices'));
    await untilSomebodyWaits(db);
    letGo.resolve();
    await other;
    assert.equal(await creation, undefined);
    assert.deepEqual(await db.selectFrom('pages').select('id').execute(), []);
    assert.ok(await createPageAtOnce(db, accountId, input(userId, 'Prices')));
  });

  test('leaves to a transaction whatever has to be looked into', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const other = await makeAccount(db);
    const foreign = await makePage(db, other.accountId, { userId: other.userId, name: 'Theirs' });
    let deepest = '';
    for (let depth = 1; depth <= MAX_DEPTH; depth++) {
      deepest = String(await makePage(db, accountId, { userId, name: `Level ${depth}`, parentId: deepest }));
    }
    const page = await makePage(db, accountId, { userId, name: 'Same urlname' });
    const count = async () =>
      (await db.selectFrom('pages').select('id').where('account_id', '=', accountId).execute()).length;
    const before = await count();
    for (const [name, parentId] of [
      ['Too deep', deepest],
      ['Of nobody', '999999999'],
      ['Of another', String(foreign)],
      ['Not an id', 'page_x'],
      ['Same, urlname', ''],
      [' ', ''],
    ] as const) {
      assert.equal(await createPageAtOnce(db, accountId, input(userId, name, { parentId })), undefined, name);
    }
    assert.equal(await count(), before);
    // Below another parent the urlname would be free.
    await assert.rejects(createPageAtOnce(db, accountId, input(userId, 'Same urlname', { parentId: String(page) })), {
      failures: [['name', 'has already been taken']],
    });
  });
});

/** Resolves once a statement waits for another's lock. */
async function untilSomebodyWaits(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
    if (rows[0]!.count > 0) return;
  }
}
