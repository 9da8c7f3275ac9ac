import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { actor, makeAccount, makeCustomer } from '../../../test/factories.ts';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { startSession } from '../../users/sessions.ts';
import { up } from './034-first-sign-in.ts';

onEachDatabase('migration 034, first sign-in', (open, kind) => {
  test('an existing account has signed in if a user has a session, an event, a passkey or a proven address', async (t) => {
    const { db } = await open(t);
    const { accountId, userId } = await makeAccount(db);
    const never = await makeCustomer(db, accountId);
    const [session, proof] = [await makeCustomer(db, accountId), await makeCustomer(db, accountId)];
    await db.transaction().execute(async (trx) => {
      await recordAuditEvent(trx, accountId, actor(userId), { action: 'session.started', subject: `user_${userId}` });
      const userOf = async (id: number) =>
        (await trx.selectFrom('users').select('id').where('account_id', '=', id).executeTakeFirstOrThrow()).id;
      const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: '' };
      await startSession(trx, session, { userId: await userOf(session), clientInfo });
      await trx.updateTable('users').set({ address_proved_at: 5 }).where('account_id', '=', proof).execute();
      await sql`drop index accounts_customers`.execute(trx);
      await sql`drop index accounts_customers_name`.execute(trx);
      await sql`alter table accounts drop column signed_in_at`.execute(trx);
      await sql`create index accounts_customers on accounts (id)`.execute(trx);
      await sql`create index accounts_customers_name on accounts (id)`.execute(trx);
      await up(trx as never, kind);
    });
    const rows = await db.selectFrom('accounts').select(['id', 'signed_in_at']).orderBy('id').execute();
    const times = new Map(rows.map(({ id, signed_in_at }) => [id, signed_in_at]));
    assert.deepEqual([times.get(never), times.get(proof)], [null, 5]);
    assert.ok(times.get(accountId)! > 5 && times.get(session)! > 5);
  });
});
