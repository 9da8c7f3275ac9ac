import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { skipIds } from './skip-ids.ts';

onEachDatabase('ids that may have been given out', (open, kind) => {
  const skip = (db: Db, now?: number) =>
    db.transaction().execute((trx) => skipIds((text) => sql.raw(text).execute(trx), kind, now));

  test('are skipped, also in a table that has had no row', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    await skip(db);
    assert.ok((await makePage(db, accountId, { userId })) > 600_000);
  });

  test('are some in an empty database, which does not tell its age', async (t) => {
    const { db } = await open(t);
    await skip(db);
    const { accountId } = await makeAccount(db);
    assert.ok(accountId > 600_000 && accountId < 1_000_000, `the id is ${accountId}`);
  });

  test('are none where the clock stands before the last change', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const before = await makePage(db, accountId, { userId });
    await skip(db, 0);
    assert.equal(await makePage(db, accountId, { userId }), before + 1);
  });
});
