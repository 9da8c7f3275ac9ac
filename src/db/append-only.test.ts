import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { operator, recordAuditEvent } from '../audit/record-audit-event.ts';

onEachDatabase('append-only tables', (open, kind) => {
  test('plan_changes and audit_log only accept new rows, but audit events older than a year can be deleted', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await makeCustomer(db, accountId);
    const event = { action: 'page.moved', subject: 'page_1' };
    await db.transaction().execute((trx) => recordAuditEvent(trx, accountId, operator, event));

    for (const table of ['plan_changes', 'audit_log']) {
      const lines = async () => (await sql`select * from ${sql.table(table)} order by id`.execute(db)).rows;
      const before = await lines();
      assert.notEqual(before.length, 0);
      const columns = Object.keys(before[0]!).join(', ');
      const statements = [
        `update ${table} set actor = 'nobody'`,
        `delete from ${table}`,
        `insert into ${table} (${columns}) select ${columns} from ${table} where true
           on conflict (id) do update set actor = 'nobody'`,
        ...(kind === 'sqlite'
          ? [
              `insert or replace into ${table} (${columns}) select ${columns} from ${table}`,
              `replace into ${table} (${columns}) select ${columns} from ${table}`,
              `update or replace ${table} set id = id + 1`,
            ]
          : [`truncate ${table}`, `truncate ${table} cascade`, 'truncate accounts cascade']),
      ];
      for (const statement of statements) {
        const attempt = db.transaction().execute((trx) => sql.raw(statement).execute(trx));
        await assert.rejects(attempt, /(plan_changes|audit_log) is append-only/, statement);
      }
      assert.deepEqual(await lines(), before);
    }

    const aYear = 365 * 24 * 60 * 60 * 1000;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() - aYear - 60_000 });
    await db
      .transaction()
      .execute((trx) => recordAuditEvent(trx, accountId, operator, { ...event, subject: 'page_2' }));
    t.mock.timers.reset();
    const remove = (subject: string) =>
      db.transaction().execute((trx) => trx.deleteFrom('audit_log').where('subject', '=', subject).execute());
    await remove('page_2');
    await assert.rejects(remove('page_1'), /audit_log is append-only/, 'an event younger than a year stays');

    await makeCustomer(db, accountId);
    await db.transaction().execute((trx) => recordAuditEvent(trx, accountId, operator, event));
    assert.equal((await db.selectFrom('plan_changes').select('id').execute()).length, 2);
    const moves = db.selectFrom('audit_log').select('id').where('action', '=', 'page.moved');
    assert.equal((await moves.execute()).length, 2);
  });
});
