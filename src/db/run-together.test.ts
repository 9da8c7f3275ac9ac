import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { recordAuditEvent, service } from '../audit/record-audit-event.ts';
import type { Db } from './database.ts';
import { runTogether } from './run-together.ts';

onEachDatabase('pieces of work of one transaction', (open) => {
  const actionsOf = async (db: Db, accountId: number) => {
    const events = await db.selectFrom('audit_log').select('action').where('account_id', '=', accountId).execute();
    return events.map(({ action }) => action).filter((action) => action.startsWith('test.'));
  };
  const record = (action: string) => ({ action, subject: 'account_1', details: { name: 'Test' } });

  test('are all done', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await db.transaction().execute((trx) => {
      const piece = (action: string) => () => recordAuditEvent(trx, accountId, service, record(action));
      return runTogether([piece('test.one'), piece('test.two')]);
    });
    assert.deepEqual((await actionsOf(db, accountId)).sort(), ['test.one', 'test.two']);
  });

  test('leave nothing when one of them fails, and tell its error', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const outcome = db.transaction().execute((trx) => {
      const record2 = async (action: string) => {
        await recordAuditEvent(trx, accountId, service, record(action));
        await recordAuditEvent(trx, accountId, service, record(action));
      };
      return runTogether([
        () => record2('test.before'),
        () => recordAuditEvent(trx, 12_345, service, record('test.wrong')),
        () => record2('test.after'),
      ]);
    });
    await assert.rejects(outcome, /foreign key/i);
    assert.deepEqual(await actionsOf(db, accountId), []);
  });
});
