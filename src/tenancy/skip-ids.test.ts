import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import type { Db } from '../db/database.ts';
import { skipIds } from './skip-ids.ts';

onEachDatabase('skipping ids', (open, kind) => {
  const skip = (db: Db, now?: number) =>
    db.transaction().execute((trx) => skipIds((text) => sql.raw(text).execute(trx), kind, now));

  test('ids are skipped in tables with rows and in tables that never had one', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    await skip(db);
    assert.ok((await makePage(db, accountId, { userId })) > 600_000);
  });

  test('ids are skipped in an empty database, which does not tell its age', async (t) => {
    const { db } = await open(t);
    await skip(db);
    const { accountId } = await makeAccount(db);
    assert.ok(accountId > 600_000 && accountId < 1_000_000, `the id is ${accountId}`);
  });

  test('no ids are skipped if the clock is before the last change', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const before = await makePage(db, accountId, { userId });
    await skip(db, 0);
    assert.equal(await makePage(db, accountId, { userId }), before + 1);
  });
});
