import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { recordAuditEvent, service } from '../audit/record-audit-event.ts';
import type { Db } from './database.ts';
import { runTogether } from './run-together.ts';

onEachDatabase('concurrent work in one transaction', (open, kind) => {
  const actionsOf = async (db: Db, accountId: number) => {
    const events = await db.selectFrom('audit_log').select('action').where('account_id', '=', accountId).execute();
    return events.map(({ action }) => action).filter((action) => action.startsWith('test.'));
  };
  const record = (action: string) => ({ action, subject: 'account_1', details: { name: 'Test' } });

  test('all pieces of work that run together are done', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    await db.transaction().execute((trx) => {
      const piece = (action: string) => () => recordAuditEvent(trx, accountId, service, record(action));
      return runTogether(trx, [piece('test.one'), piece('test.two')]);
    });
    assert.deepEqual((await actionsOf(db, accountId)).sort(), ['test.one', 'test.two']);
  });

  test('on PostgreSQL, a statement is sent before the next piece of work starts', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    let hasTurned = false;
    const [before, after] = await db.transaction().execute(async (trx) => {
      const seen: boolean[] = [];
      const piece = (action: string) => () => {
        seen.push(hasTurned);
        return recordAuditEvent(trx, accountId, service, record(action));
      };
      setImmediate(() => {
        hasTurned = true;
      });
      await runTogether(trx, [piece('test.one'), piece('test.two')]);
      return seen;
    });
    assert.deepEqual([before, after], [false, kind === 'postgres']);
  });

  test('if one piece of work fails, all are rolled back and its error is thrown', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const outcome = db.transaction().execute((trx) => {
      const record2 = async (action: string) => {
        await recordAuditEvent(trx, accountId, service, record(action));
        await recordAuditEvent(trx, accountId, service, record(action));
      };
      return runTogether(trx, [
        () => record2('test.before'),
        () => recordAuditEvent(trx, 12_345, service, record('test.wrong')),
        () => record2('test.after'),
      ]);
    });
    await assert.rejects(outcome, /foreign key/i);
    assert.deepEqual(await actionsOf(db, accountId), []);
  });
});
