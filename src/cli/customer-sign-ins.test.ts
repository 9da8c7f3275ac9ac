import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { actor, makeAccount, makeCustomer, settings } from '../../test/factories.ts';
import { makeUser } from '../../test/person.ts';
import { startImpersonation } from '../impersonations/start-impersonation.ts';

onEachDatabase('customer sign-ins', (open) => {
  test("customer sign-ins lists the seller's sign-ins, and forbids and allows them", async (t) => {
    const { db, config } = await open(t);
    const { accountId, userId } = await makeAccount(db, 'acme');
    const customer = await makeCustomer(db, accountId, 'bakery');
    const { id: personId } = await makeUser(db, customer, { name: 'Bob' });
    const start = () =>
      db
        .transaction()
        .execute((trx) =>
          startImpersonation(trx, accountId, { personId, reason: 'Help', sessionId: 1 }, actor(userId), settings),
        );
    await start();
    const { sign_ins } = await runCliJson(config, 'customer', 'sign-ins', 'bakery');
    const { from, until } = sign_ins[0];
    assert.deepEqual(sign_ins, [{ by: 'Olivia Owner (Account acme)', as: 'Bob', from, until, reason: 'Help' }]);
    assert.deepEqual(await runCliJson(config, 'doctor'), { ok: true, problems: [], notes: [] });
    const { out } = await runCli(config, 'customer', 'sign-ins', 'bakery', '--forbid');
    assert.equal(out, 'The seller\'s people cannot sign in to "bakery".\n');
    await assert.rejects(start(), { code: 'conflict' });
    await runCli(config, 'customer', 'sign-ins', 'bakery', '--allow');
    assert.ok(await start());
    const both = await runCli(config, 'customer', 'sign-ins', 'bakery', '--allow', '--forbid');
    assert.equal(both.code, 2);
  });
});
