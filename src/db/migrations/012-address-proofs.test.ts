import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { makeUser } from '../../../test/person.ts';
import { recordAuditEvent } from '../../audit/record-audit-event.ts';
import { up } from './012-address-proofs.ts';

onEachDatabase('migration 012, proved addresses', (open, kind) => {
  test('a password chosen by a mailed link proves the address of that time, and no other action does', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const logs = [
      ['password.reset'],
      ['invitation.accepted', 'password.changed'],
      ['password.reset', 'email.changed'],
      ['email.changed', 'password.reset', 'session.started'],
      ['password.changed', 'session.started'],
      [],
    ];
    const ids: number[] = [];
    t.mock.timers.enable({ apis: ['Date'], now: 1_000_000 });
    for (const actions of logs) {
      const { id } = await makeUser(db, accountId);
      ids.push(id);
      for (const [number, action] of actions.entries()) {
        t.mock.timers.setTime(1_000_000 + number);
        const actor = { userId: id, name: 'A', ip: '192.0.2.1' };
        await db
          .transaction()
          .execute((trx) => recordAuditEvent(trx, accountId, actor, { action, subject: `user_${id}` }));
      }
    }
    await db.transaction().execute(async (trx) => {
      await sql`alter table users drop column address_proved_at`.execute(trx);
      await up(trx as never, kind);
    });
    const users = await db
      .selectFrom('users')
      .select('address_proved_at')
      .where('id', 'in', ids)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      users.map(({ address_proved_at }) => address_proved_at),
      [1_000_000, 1_000_000, null, 1_000_001, null, null],
    );
  });
});
