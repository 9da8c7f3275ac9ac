import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, settings } from '../../test/factories.ts';
import { makeUser, proveAddress } from '../../test/person.ts';
import { RateLimited } from '../errors.ts';
import type { SecurityChange } from '../mail/security-notice.ts';
import { askForEmail } from './change-email.ts';
import { sendSecurityNotice } from './send-security-notice.ts';

onEachDatabase('security notices', (open) => {
  test('an address gets 20 notices a day of each kind from all accounts together; then the change is refused', async (t) => {
    const { db } = await open(t);
    const [one, other] = [(await makeAccount(db)).accountId, (await makeAccount(db)).accountId];
    const email = 'ann@example.com';
    const users = { [one]: await makeUser(db, one, { email }), [other]: await makeUser(db, other, { email }) };
    const notify = (accountId: number, change: SecurityChange) =>
      db
        .transaction()
        .execute((trx) => sendSecurityNotice(trx, accountId, change, actor(users[accountId]!.id), settings));
    const changes: SecurityChange[] = [
      { kind: 'passkey added', name: 'Phone' },
      { kind: 'passkey restored', name: 'Phone' },
      { kind: 'address asked for', email: 'bob@example.com' },
      { kind: 'address changed', email: 'bob@example.com' },
      { kind: 'second factor added' },
      { kind: 'second factor removed' },
      { kind: 'password changed' },
    ];
    for (const change of changes) {
      for (let time = 0; time < 20; time++) assert.equal(await notify(time % 2 ? one : other, change), true);
      await assert.rejects(notify(one, change), RateLimited, change.kind);
    }
    assert.equal((await db.selectFrom('outbox').select('id').execute()).length, 20 * changes.length);
  });

  test('strangers with accounts for an address cannot use up the notices of an owner who has proved it', async (t) => {
    const { db } = await open(t);
    const email = 'ann@example.com';
    const make = async () => {
      const { accountId } = await makeAccount(db);
      return { accountId, userId: (await makeUser(db, accountId, { email })).id };
    };
    const notify = ({ accountId, userId }: Awaited<ReturnType<typeof make>>, change: SecurityChange) =>
      db.transaction().execute((trx) => sendSecurityNotice(trx, accountId, change, actor(userId), settings));
    const [stranger, owner, other] = [await make(), await make(), await make()];
    for (const change of [{ kind: 'password changed' }, { kind: 'passkey removed', name: 'Phone' }] as const) {
      for (let time = 0; time < 20; time++) await notify(stranger, change);
    }
    await assert.rejects(notify(owner, { kind: 'password changed' }), /“Forgotten your password\?”/);
    for (const { userId } of [owner, other]) await proveAddress(db, userId);
    assert.equal(await notify(owner, { kind: 'passkey removed', name: 'Phone' }), true);
    for (const { accountId, userId } of [owner, other]) {
      for (let time = 0; time < 20; time++) await notify({ accountId, userId }, { kind: 'password changed' });
    }
    await assert.rejects(notify(owner, { kind: 'password changed' }), /Try again in 72 minutes\.$/);
  });

  test('an address that several users claim as their own gets at most 10 links a day in total', async (t) => {
    const { db } = await open(t);
    const { accountId } = await makeAccount(db);
    const ask = async (userId: number) => {
      const email = 'stranger@example.com';
      await db.transaction().execute((trx) => askForEmail(trx, accountId, email, actor(userId), settings));
    };
    for (let time = 0; time < 10; time++) await ask((await makeUser(db, accountId)).id);
    await assert.rejects(ask((await makeUser(db, accountId)).id), RateLimited);
    const links = db.selectFrom('outbox').select('id').where('to_email', '=', 'stranger@example.com');
    assert.equal((await links.execute()).length, 10);
  });
});
