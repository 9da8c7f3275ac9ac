import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makePage, quota } from '../../test/factories.ts';
import { addDomain } from '../domains/add-domain.ts';
import { createDefaultPages } from '../pages/default-pages.ts';
import { publishPage } from '../pages/publish-page.ts';
import { changeSettings } from './change-settings.ts';
import { listToDos } from './to-do.ts';

onEachDatabase('the to-dos of a new site', (open) => {
  test('the to-dos are the name, the first text, the look and the address, until each is done', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const by = actor(userId);
    const toDos = () => db.transaction().execute((trx) => listToDos(trx, accountId));
    assert.deepEqual(await toDos(), { left: [], firstPageId: null });
    await db
      .transaction()
      .execute((trx) => createDefaultPages(trx, accountId, { name: 'Acme', language: 'en', userId }));
    const pages = await db
      .selectFrom('pages')
      .select(['id', 'version'])
      .where('account_id', '=', accountId)
      .orderBy('position')
      .execute();
    const [first, second] = pages.map(({ id }) => id);
    assert.deepEqual(await toDos(), { left: ['name', 'text', 'look', 'address'], firstPageId: first });

    await db.transaction().execute((trx) => changeSettings(trx, accountId, { accent: '#aa0000' }, by));
    assert.deepEqual((await toDos()).left, ['name', 'text', 'address']);
    await db.transaction().execute((trx) => addDomain(trx, accountId, 'acme.example', by));
    assert.deepEqual((await toDos()).left, ['name', 'text']);
    const publish = (index: number) => {
      const { id, version } = pages[index]!;
      const input = { id, basedOn: version, fields: undefined, draftAt: null, quota };
      return db.transaction().execute((trx) => publishPage(trx, accountId, input, by));
    };
    await publish(0);
    assert.deepEqual(await toDos(), { left: ['name'], firstPageId: second });
    for (const index of [1, 2, 3]) await publish(index);
    assert.deepEqual(await toDos(), { left: [], firstPageId: null });
  });

  test('an account without default pages has no to-dos', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    await makePage(db, accountId, { userId });
    const { left } = await db.transaction().execute((trx) => listToDos(trx, accountId));
    assert.deepEqual(left, []);
  });
});
