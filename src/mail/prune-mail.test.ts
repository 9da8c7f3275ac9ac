import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { countingDeletions } from '../../test/deletions.ts';
import { makeAccount, makeCustomer } from '../../test/factories.ts';
import { MAIL_RETENTION_MS, pruneMail } from './prune-mail.ts';

onEachDatabase('pruning old mail', (open) => {
  test('old messages that were sent or stored as files are deleted in batches, and no others', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    for (let count = 0; count < 8; count++) await makeCustomer(db, accountId);
    const ids = (await db.selectFrom('outbox').select('id').orderBy('id').execute()).map(({ id }) => id);
    const [unsent, fresh, kept, ...sent] = ids as [number, number, number, ...number[]];
    const old = [kept, ...sent];
    const long = Date.now() - MAIL_RETENTION_MS - 1;
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('outbox')
        .set({ status: 'sent', sent_at: long })
        .where('id', 'in', [...sent, fresh])
        .execute();
      await trx.updateTable('outbox').set({ status: 'kept' }).where('id', '=', kept).execute();
      await trx
        .updateTable('outbox')
        .set({ created_at: long } as never)
        .where('id', 'in', [...old, unsent])
        .execute();
    });
    const { db: counting, deletions } = countingDeletions(db);
    assert.equal(await pruneMail(counting, Date.now(), 2), 6);
    assert.deepEqual(deletions, [2, 2, 1, 1]);
    const left = await db.selectFrom('outbox').select('id').orderBy('id').execute();
    assert.deepEqual(
      left.map(({ id }) => id),
      [unsent, fresh],
    );
  });
});
