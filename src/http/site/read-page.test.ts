import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { CompiledQuery } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import type { Db, Trx } from '../../db/database.ts';
import { snapshot } from '../../db/snapshot.ts';
import { readMainMenu } from '../../sites/navigation.ts';
import { readPage } from './read-page.ts';

const BODY = 'Much of it.';

onEachDatabase('reading a page', (open) => {
  test('no body is read for a redirect to / or for a part that does not exist', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const home = await makePage(db, accountId, { name: 'Home', userId, body: BODY });
    const other = await makePage(db, accountId, { name: 'Other', userId, body: BODY });
    for (const parent of [home, other]) {
      for (let count = 0; count <= 60; count++) {
        // The last page has a position among its siblings, but is hidden from the list.
        const fields = {
          name: `${parent} ${count}`,
          parentId: String(parent),
          isHidden: count === 60 ? '1' : undefined,
        };
        await makePage(db, accountId, { ...fields, userId });
      }
    }
    const read = async (path: string, part: number) => {
      const menuOf = (trx: Trx) => readMainMenu(trx, accountId);
      const { result, bodies } = await countBodies(t, db, (trx) => readPage(trx, accountId, { path, part, menuOf }));
      return [result.kind, bodies];
    };
    assert.deepEqual(await read('/home', 1), ['home-path', 0]);
    assert.deepEqual(await read('/', 2), ['not-found', 0]);
    assert.deepEqual(await read('/other', 2), ['not-found', 0]);
    assert.deepEqual(await read('/other', 1000), ['not-found', 0]);
    assert.deepEqual(await read('/other/none', 1), ['not-found', 0]);
    assert.deepEqual(await read('/other', 1), ['page', 1]);
    assert.deepEqual(await read('/', 1), ['page', 1]);
  });
});

/** Reads from a snapshot, and counts the bodies that the database returns. */
async function countBodies<T>(t: TestContext, db: Db, read: (trx: Trx) => Promise<T>) {
  let bodies = 0;
  const result = await snapshot(db, async (trx) => {
    const connection = await trx.getExecutor().provideConnection(async (own) => own);
    const execute = connection.executeQuery.bind(connection);
    const observed = t.mock.method(connection, 'executeQuery', async (query: CompiledQuery) => {
      const answer = await execute(query);
      bodies += answer.rows.filter((row) => Object.values(row as object).includes(BODY)).length;
      return answer;
    });
    try {
      return await read(trx);
    } finally {
      observed.mock.restore();
    }
  });
  return { result, bodies };
}
