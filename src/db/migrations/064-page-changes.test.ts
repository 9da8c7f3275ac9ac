import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makePage } from '../../../test/factories.ts';
import { up } from './064-page-changes.ts';

onEachDatabase('migration 064, changes of pages', (open, kind) => {
  test('existing accounts record changes of pages from their current version on', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    await makePage(db, accountId, { userId });
    await db.transaction().execute(async (trx) => {
      for (const statement of [
        'drop index pages_changed',
        'drop index undos_version',
        'alter table accounts drop column changes_known_from',
        'alter table pages drop column has_changed',
        'alter table undos drop column version',
      ]) {
        await sql.raw(statement).execute(trx);
      }
      await up(trx as never, kind);
    });
    const account = await db.selectFrom('accounts').selectAll().where('id', '=', accountId).executeTakeFirstOrThrow();
    assert.ok(account.content_version > 1);
    assert.equal(account.changes_known_from, account.content_version);
  });
});
