import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { beforeClosing, onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import { type Db, openDatabase } from '../db/database.ts';
import { raiseContentVersion } from './content-version.ts';
import { createPageAtOnce } from './create-page-at-once.ts';
import { MAX_DEPTH } from './page.ts';

onEachDatabase('creating a page together with others', (open, kind) => {
  const input = (userId: number, name: string, more: { parentId?: string; bodyFormat?: string } = {}) => ({
    ...{
      body: '<p>Hello</p>',
      description: undefined,
      isHidden: undefined,
      bodyFormat: undefined,
      parentId: undefined,
    },
    ...{ name, userId, program: { keyId: userId, ip: '192.0.2.7' }, ...more },
  });
  const account = (db: Db, id: number) =>
    db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

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

  test('creates those of many accounts together, each as its own would be', async (t) => {
    const { db } = await open(t);
    const accounts = await Promise.all(Array.from({ length: 40 }, () => makeAccount(db)));
    await makePage(db, accounts[1]!.accountId, { userId: accounts[1]!.userId, name: 'Taken' });
    const names = ['Prices', 'Taken', '„Ä\\"{,}', 'null', ' NULL '];
    const ids = await Promise.all(
      accounts.map(({ accountId, userId }, index) => {
        const name = names[index % names.length]!;
        return createPageAtOnce(db, accountId, {
          ...input(userId, name),
          body: `{"${index}", \\N}`,
          description: name,
        });
      }),
    );
    const pages = await db
      .selectFrom('pages')
      .select(['id', 'account_id', 'name', 'body', 'description', 'position', 'created_by', 'version'])
      .where(
        'id',
        'in',
        ids.filter((id) => id !== undefined),
      )
      .execute();
    assert.equal(pages.length, 39, 'all but the one whose name is taken');
    for (const [index, { accountId, userId }] of accounts.entries()) {
      const name = names[index % names.length]!;
      const page = pages.find(({ account_id }) => account_id === accountId);
      if (index === 1) assert.equal(page, undefined);
      else {
        const { content_version: version } = await account(db, accountId);
        assert.deepEqual(
          { ...page },
          {
            ...{
              id: ids[index],
              account_id: accountId,
              name: name.trim(),
              body: `{"${index}", \\N}`,
              description: name,
            },
            ...{ position: 1, created_by: userId, version },
          },
        );
      }
    }
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
    const state = async () => [
      (await db.selectFrom('pages').select('id').where('account_id', '=', accountId).execute()).length,
      // Not even the version: lists and sites that are kept under it stay right.
      await account(db, accountId),
    ];
    const before = await state();
    for (const [name, parentId] of [
      ['Too deep', deepest],
      ['Of nobody', '999999999'],
      ['Of another', String(foreign)],
      ['Not an id', 'page_x'],
      ['Same, urlname', ''],
      ['Level 2', String(page)],
      // Below another parent the urlname would be free.
      ['Same urlname', String(page)],
      [' ', ''],
    ] as const) {
      assert.equal(await createPageAtOnce(db, accountId, input(userId, name, { parentId })), undefined, name);
    }
    assert.deepEqual(await state(), before);
  });

  test('leaves all to transactions of their own where the database refuses one', async (t) => {
    const { db } = await open(t);
    const accounts = await Promise.all([makeAccount(db), makeAccount(db)]);
    const nobody = { accountId: accounts[0]!.accountId, userId: accounts[1]!.userId };
    const ids = await Promise.all(
      [nobody, ...accounts.slice(1)].map((one) => createPageAtOnce(db, one.accountId, input(one.userId, 'Prices'))),
    );
    assert.deepEqual(ids, [undefined, undefined]);
    assert.deepEqual(await db.selectFrom('pages').select('id').execute(), []);
  });

  // SQLite has one writer, and others wait for it.
  if (kind === 'sqlite') {
    test('is dated when its turn has come, so that no site changes before it did', async (t) => {
      const { db, config } = await open(t);
      const { accountId, userId } = await makeAccount(db);
      const process = await openDatabase(config);
      beforeClosing(t, () => process.destroy());
      const creation = await process.transaction().execute(async (trx) => {
        await raiseContentVersion(trx, accountId, Date.now());
        const started = createPageAtOnce(db, accountId, input(userId, 'Prices'));
        const before = Date.now();
        while (Date.now() <= before + 1) await setImmediate();
        await raiseContentVersion(trx, accountId, Date.now());
        return { started };
      });
      const { content_changed_at: changed } = await account(db, accountId);
      await creation.started;
      assert.ok((await account(db, accountId)).content_changed_at >= changed);
    });
    return;
  }
  test('waits for no account, and creates nothing in one whose tree somebody else holds', async (t) => {
    const { db } = await open(t);
    const [held, free] = [await makeAccount(db), await makeAccount(db)];
    const holding = Promise.withResolvers<void>();
    const letGo = Promise.withResolvers<void>();
    const other = db.transaction().execute(async (trx) => {
      await raiseContentVersion(trx, held.accountId, 1);
      holding.resolve();
      await letGo.promise;
    });
    await holding.promise;
    const ids = await Promise.all(
      [held, free].map(({ accountId, userId }) => createPageAtOnce(db, accountId, input(userId, 'Prices'))),
    );
    letGo.resolve();
    await other;
    const pages = await db.selectFrom('pages').select(['account_id', 'id']).execute();
    assert.deepEqual(pages, [{ account_id: free.accountId, id: ids[1] }]);
    assert.equal(ids[0], undefined);
    assert.ok(await createPageAtOnce(db, held.accountId, input(held.userId, 'Prices')));
  });
});
