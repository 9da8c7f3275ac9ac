import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { beforeClosing, onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makePage, quota } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { openDatabase } from '../db/open-database.ts';
import { raiseContentVersion } from '../tenancy/content-version.ts';
import { createPage } from './create-page.ts';
import { MAX_DEPTH } from './page.ts';

onEachDatabase('batched page creation', (open, kind) => {
  const input = (userId: number, name: string, more: { parentId?: string; bodyFormat?: string } = {}) => ({
    body: '<p>Hello</p>',
    description: undefined,
    isHidden: undefined,
    bodyFormat: undefined,
    parentId: undefined,
    name,
    userId,
    quota,
    ip: '192.0.2.7',
    ...more,
  });
  const account = (db: Db, id: number) =>
    db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

  test('a page created in a batch has the same position, urlname and version as one created alone', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const before = await account(db, accountId);
    const first = await createPage(db, accountId, input(userId, 'About us'));
    const child = await createPage(db, accountId, input(userId, 'The team', { parentId: `page_${first}` }));
    const second = await createPage(db, accountId, input(userId, 'Prices', { bodyFormat: 'markdown_format' }));
    const after = await account(db, accountId);

    const pages = await db.selectFrom('pages').selectAll().orderBy('id').execute();
    assert.deepEqual(
      pages.map(({ id, parent_id, urlname, position, body_format, version }) => [
        ...[id, parent_id, urlname, position, body_format, version],
      ]),
      [
        [first, null, 'about-us', 1, before.editor, pages[0]!.version],
        [child, first, 'the-team', 1, before.editor, pages[1]!.version],
        [second, null, 'prices', 2, 'markdown_format', after.content_version],
      ],
    );
    const versions = [before.content_version, ...pages.map(({ version }) => version)];
    for (const [index, version] of versions.slice(1).entries()) assert.ok(version > versions[index]!);
    assert.equal(after.content_changed_at, pages[2]!.created_at);
  });

  test('pages of many accounts are created in one batch, and a refused page does not affect the others', async (t) => {
    const { db } = await open(t);
    const accounts = await Promise.all(Array.from({ length: 40 }, () => makeAccount(db)));
    await makePage(db, accounts[1]!.accountId, { userId: accounts[1]!.userId, name: 'Taken' });
    const names = ['Prices', 'Taken', '„Ä\\"{,}', 'null', ' NULL '];
    const results = await Promise.allSettled(
      accounts.map(({ accountId, userId }, index) => {
        const name = names[index % names.length]!;
        return createPage(db, accountId, {
          ...input(userId, name),
          body: `{"${index}", \\N}`,
          description: name,
        });
      }),
    );
    const ids = results.map((result) => (result.status === 'fulfilled' ? result.value : undefined));
    const pages = await db
      .selectFrom('pages')
      .select(['id', 'account_id', 'name', 'body', 'description', 'position', 'created_by', 'version'])
      .where(
        'id',
        'in',
        ids.filter((id) => id !== undefined),
      )
      .execute();
    assert.equal(pages.length, 39, 'all pages except the one whose name is taken');
    for (const [index, { accountId, userId }] of accounts.entries()) {
      const name = names[index % names.length]!;
      const page = pages.find(({ account_id }) => account_id === accountId);
      if (index === 1) assert.equal(page, undefined);
      else {
        const { content_version: version } = await account(db, accountId);
        assert.deepEqual(
          { ...page },
          {
            id: ids[index],
            account_id: accountId,
            name: name.trim(),
            body: `{"${index}", \\N}`,
            description: name,
            position: 1,
            created_by: userId,
            version,
          },
        );
      }
    }
  });

  test('an invalid page is refused with every rule that it breaks, and nothing is changed', async (t) => {
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
      // Even the version stays, so that lists and sites cached under it remain valid.
      await account(db, accountId),
    ];
    const before = await state();
    for (const [name, parentId, ...failures] of [
      ['Too deep', deepest, ['parent_id', 'too_deep']],
      ['Of nobody', '999999999', ['parent_id', 'missing']],
      ['Of another', String(foreign), ['parent_id', 'missing']],
      ['Not an id', 'page_x', ['parent_id', 'missing']],
      ['Level 2', String(page), ['name', 'taken']],
      // Below another parent, the urlname would be free.
      ['Same urlname', String(page), ['name', 'taken']],
      ['Same urlname', deepest, ['name', 'taken'], ['parent_id', 'too_deep']],
      [' ', 'page_x', ['name', 'blank'], ['parent_id', 'missing']],
    ] as const) {
      const fields = failures.map(([field, code]) => ({ field, code }));
      await assert.rejects(createPage(db, accountId, input(userId, name, { parentId })), { fields }, name);
    }
    assert.deepEqual(await state(), before);
  });

  test('a page whose urlname is taken gets a urlname with a number', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    await makePage(db, accountId, { userId, name: 'Same urlname' });
    const { content_version: before } = await account(db, accountId);
    const id = await createPage(db, accountId, input(userId, 'Same, urlname'));
    const page = await db.selectFrom('pages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { content_version: after } = await account(db, accountId);
    assert.deepEqual([page.urlname, page.position, page.version], ['same-urlname-2', 2, after]);
    assert.ok(after > before);
  });

  test('a page that the database refuses does not make the rest of its batch fail', async (t) => {
    const { db } = await open(t);
    const accounts = await Promise.all([makeAccount(db), makeAccount(db)]);
    const nobody = { accountId: accounts[0]!.accountId, userId: accounts[1]!.userId };
    const results = await Promise.allSettled(
      [nobody, ...accounts.slice(1)].map((one) => createPage(db, one.accountId, input(one.userId, 'Prices'))),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'fulfilled'],
    );
    const pages = await db.selectFrom('pages').select('account_id').execute();
    assert.deepEqual(
      pages.map(({ account_id }) => account_id),
      [accounts[1]!.accountId],
    );
  });

  // SQLite has one writer, which the others wait for.
  if (kind === 'sqlite') {
    test('a creation that waited for the lock has the date at which it got the lock', async (t) => {
      const { db, config } = await open(t);
      const { accountId, userId } = await makeAccount(db);
      const process = await openDatabase(config);
      beforeClosing(t, () => process.destroy());
      const creation = await process.transaction().execute(async (trx) => {
        await raiseContentVersion(trx, accountId, Date.now());
        const started = createPage(db, accountId, input(userId, 'Prices'));
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
  test('many pages of one account are created in one statement, in the order of the requests', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const parent = await makePage(db, accountId, { userId, name: 'Parent' });
    const other = await makePage(db, accountId, { userId, name: 'Other parent' });
    const before = await account(db, accountId);
    const [first, ...rest] = await Promise.all([
      createPage(db, accountId, input(userId, 'First')),
      ...['', String(parent), String(other)].flatMap((parentId) =>
        ['One', 'Two', 'Three'].map((name) =>
          createPage(db, accountId, input(userId, `${name} ${parentId}`, { parentId })),
        ),
      ),
    ]);
    const pages = await db.selectFrom('pages').selectAll().where('account_id', '=', accountId).orderBy('id').execute();
    assert.deepEqual(
      pages.map(({ id, parent_id, name, position }) => [id, parent_id, name, position]),
      [
        [parent, null, 'Parent', 1],
        [other, null, 'Other parent', 2],
        [first, null, 'First', 3],
        ...['One ', 'Two ', 'Three '].map((name, index) => [rest[index], null, name.trim(), 4 + index]),
        ...['One', 'Two', 'Three'].map((name, index) => [rest[3 + index], parent, `${name} ${parent}`, 1 + index]),
        ...['One', 'Two', 'Three'].map((name, index) => [rest[6 + index], other, `${name} ${other}`, 1 + index]),
      ],
    );
    const created = new Set(pages.filter(({ id }) => id !== parent && id !== other).map(({ version }) => version));
    assert.deepEqual([...created], [(await account(db, accountId)).content_version]);
    assert.ok(before.content_version < [...created][0]!);
    const log = await db
      .selectFrom('audit_log')
      .select('subject')
      .where('ip', '=', '192.0.2.7')
      .orderBy('id')
      .execute();
    assert.deepEqual(log.map(({ subject }) => subject).sort(), [first, ...rest].map((id) => `page_${id}`).sort());
  });

  test('of several pages with one name in a batch, one is created, and a taken urlname gets a number', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const results = await Promise.allSettled(
      ['Same', 'Same', 'same', 'Other'].map((name) => createPage(db, accountId, input(userId, name))),
    );
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
    );
    const pages = await db.selectFrom('pages').select(['urlname', 'position']).orderBy('id').execute();
    assert.deepEqual(pages, [
      { urlname: 'same', position: 1 },
      { urlname: 'other', position: 2 },
      { urlname: 'same-2', position: 3 },
    ]);
  });

  test('creations for a locked account wait and share one transaction, and other accounts do not wait', async (t) => {
    const { db } = await open(t);
    const [held, free] = [await makeAccount(db), await makeAccount(db)];
    const locked = Promise.withResolvers<void>();
    const unlock = Promise.withResolvers<void>();
    const other = db.transaction().execute(async (trx) => {
      await raiseContentVersion(trx, held.accountId, 1);
      locked.resolve();
      await unlock.promise;
    });
    await locked.promise;
    const { content_version: before } = await account(db, held.accountId);
    const waiting = ['Prices', 'News', 'Jobs'].map((name) => createPage(db, held.accountId, input(held.userId, name)));
    const id = await createPage(db, free.accountId, input(free.userId, 'Prices'));
    assert.deepEqual(await db.selectFrom('pages').select(['account_id', 'id']).execute(), [
      { account_id: free.accountId, id },
    ]);
    unlock.resolve();
    await other;
    const ids = await Promise.all(waiting);
    const pages = await db
      .selectFrom('pages')
      .select(['id', 'name', 'position', 'version'])
      .where('account_id', '=', held.accountId)
      .orderBy('id')
      .execute();
    // The three pages have one version, after that of the other transaction.
    const { content_version: version } = await account(db, held.accountId);
    assert.ok(version > before + 1);
    assert.deepEqual(pages, [
      { id: ids[0], name: 'Prices', position: 1, version },
      { id: ids[1], name: 'News', position: 2, version },
      { id: ids[2], name: 'Jobs', position: 3, version },
    ]);
  });
});
