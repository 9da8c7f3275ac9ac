import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { makeAccount } from '../../test/factories.ts';
import { AUDIT_LOG_RETENTION_MS, pruneAuditLog } from './prune-audit-log.ts';
import { operator, recordAuditEvent } from './record-audit-event.ts';
import { recordCreations } from './record-creations.ts';

onEachDatabase('audit log', (open) => {
  test('audit events are deleted after 400 days, in any number of batches', async (t) => {
    const { db } = await open(t);
    // Long ago by the clock of the database, which allows the deletion.
    const start = Date.UTC(2020, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    // The log of a new account begins with an event.
    const { accountId, userId } = await makeAccount(db);
    const other = await makeAccount(db);
    const record = (account: number, count: number) =>
      db.transaction().execute(async (trx) => {
        for (let index = 0; index < count; index++) {
          await recordAuditEvent(trx, account, operator, { action: 'page.created', subject: `page_${index}` });
        }
      });
    const left = async () => (await db.selectFrom('audit_log').select('id').execute()).length;
    await record(accountId, 499);
    await record(other.accountId, 1);
    const events = {
      userId,
      keyId: 1,
      ip: '192.0.2.7',
      action: 'page.created',
      subjects: [['page_1', 'News', null]] as const,
      at: start,
    };
    await db.transaction().execute((trx) => recordCreations(trx, accountId, events));
    t.mock.timers.setTime(start + 1);
    await record(accountId, 2);
    assert.equal(await pruneAuditLog(db, start + AUDIT_LOG_RETENTION_MS - 1), 0);
    assert.equal(await pruneAuditLog(db, start + AUDIT_LOG_RETENTION_MS), 503);
    assert.equal(await left(), 2);
  });
});
