import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { up } from './018-kept-mail.ts';
import { up as addReplyTo } from './025-reply-to.ts';
import { up as addBulkMail } from './073-bulk-mail.ts';

onEachDatabase('migration 018, kept mail', (open, kind) => {
  test('mail written to files gets the status `kept`, and new mail gets ids that no message has had', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    for (let count = 0; count < 5; count++) await makeCustomer(db, accountId);
    const ids = (await db.selectFrom('outbox').select('id').orderBy('id').execute()).map(({ id }) => id);
    const [queued, sent, file, failed, deleted] = ids as [number, number, number, number, number];
    await db.transaction().execute(async (trx) => {
      const mark = (id: number, values: object) => trx.updateTable('outbox').set(values).where('id', '=', id).execute();
      await mark(sent, { status: 'sent', sent_at: 5, secret: null });
      await mark(file, { status: 'sent', sent_at: 5, last_error: 'kept as a file', secret: 'token' });
      await mark(failed, { status: 'failed', last_error: '550 no' });
      await trx.deleteFrom('outbox').where('id', '=', deleted).execute();
      await sql`drop index outbox_kept`.execute(trx);
      // Later migrations added these columns.
      await sql`drop index outbox_due_single`.execute(trx);
      await sql`alter table outbox drop column is_bulk`.execute(trx);
      await sql`alter table outbox drop column reply_to`.execute(trx);
      await sql`alter table outbox drop column kind`.execute(trx);
      await sql`alter table outbox drop column traceparent`.execute(trx);
      await up(trx as never, kind);
      await addReplyTo(trx as never);
      await sql`alter table outbox add column kind text`.execute(trx);
      await sql`alter table outbox add column traceparent text`.execute(trx);
      await addBulkMail(trx as never, kind);
    });
    const rows = await db
      .selectFrom('outbox')
      .select(['id', 'status', 'sent_at', 'last_error'])
      .orderBy('id')
      .execute();
    assert.deepEqual(
      rows.map(({ id, status, sent_at, last_error }) => [id, status, sent_at, last_error]),
      [
        [queued, 'queued', null, null],
        [sent, 'sent', 5, null],
        [file, 'kept', null, null],
        [failed, 'failed', null, '550 no'],
      ],
    );
    const { secret } = await db.selectFrom('outbox').select('secret').where('id', '=', file).executeTakeFirstOrThrow();
    assert.equal(secret, 'token');
    await makeCustomer(db, accountId);
    const last = await db.selectFrom('outbox').select('id').orderBy('id', 'desc').executeTakeFirstOrThrow();
    assert.ok(last.id > deleted);
  });
});
