import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli, runCliJson } from '../../test/cli.ts';
import { onEachDatabase } from '../../test/databases.ts';
import { makeUser, Person } from '../../test/person.ts';
import { startWithAccount } from '../../test/service.ts';

onEachDatabase('user commands', (open) => {
  test('user list shows users, their roles and whether they have a password', async (t) => {
    const { db, database, accountId } = await startWithAccount(t, open);
    const { subdomain } = await db.selectFrom('accounts').select('subdomain').executeTakeFirstOrThrow();
    await makeUser(db, accountId, { name: 'Ed', role: 'editor', email: 'ed@example.com' });
    const { users } = await runCliJson(database.config, 'user', 'list', '--account', subdomain);
    const shown = users.map(({ name, role, has_password }: Record<string, unknown>) => [name, role, has_password]);
    assert.deepEqual(shown, [
      ['Olivia Owner', 'owner', false],
      ['Ed', 'editor', true],
    ]);
    const { out } = await runCli(database.config, 'user', 'list', '--account', subdomain);
    assert.match(out, /^user_\d+ +Olivia Owner +olivia@example\.com +owner +not yet +no +-$/m);
  });

  test('user sign-in-link signs a user in once, and the log shows it', async (t) => {
    const { service, db, database, accountId } = await startWithAccount(t, open);
    const { subdomain } = await db.selectFrom('accounts').select('subdomain').executeTakeFirstOrThrow();
    const { code, out, error } = await runCli(database.config, 'user', 'sign-in-link', '--account', subdomain);
    assert.equal(code, 0);
    const token = /^http:\/\/localhost:8080\/sign-in#token=([\w-]{43})\n$/.exec(out)![1]!;
    assert.match(error, /Olivia Owner \(olivia@example\.com\), once, within 30 minutes/);
    const person = new Person(service);
    assert.deepEqual((await person.post('sign-in-link', { token })).json, { signedIn: true });
    const { user } = (await person.get('session')).json;
    assert.deepEqual([user.name, user.hasPassword], ['Olivia Owner', false]);
    assert.equal((await new Person(service).post('sign-in-link', { token })).status, 404);

    const chosen = { password: 'a first password', confirmation: 'a first password' };
    assert.equal((await person.post('password', chosen)).status, 204, 'a first password needs no current one');
    const entries = await db
      .selectFrom('audit_log')
      .select(['actor', 'action'])
      .where('account_id', '=', accountId)
      .execute();
    assert.deepEqual(
      entries.map(({ actor, action }) => `${actor}: ${action}`),
      [
        'operator: account.created',
        'operator: sign_in_link.made',
        'Olivia Owner: session.started',
        'Olivia Owner: password.changed',
      ],
    );
  });

  test('user sign-in-link prints no control characters of a name', async (t) => {
    const { db, database, accountId } = await startWithAccount(t, open);
    const { subdomain } = await db.selectFrom('accounts').select('subdomain').executeTakeFirstOrThrow();
    const email = 'ed@example.com';
    await makeUser(db, accountId, { name: 'Ed\u001b[2J\u009b2J\nYour password: ', email });
    const found = ['user', 'sign-in-link', '--account', subdomain, '--email', email];
    const { error } = await runCli(database.config, ...found);
    assert.match(error, /It signs in Ed\ufffd\[2J\ufffd2J\ufffdYour password: {2}\(ed@example\.com\)/);
    const { out } = await runCli(database.config, 'user', 'list', '--account', subdomain, '--json');
    assert.doesNotMatch(out, /[\u001b\u009b]/);
    assert.equal(JSON.parse(out).users[1].name, 'Ed\u001b[2J\u009b2J\nYour password: ');
  });

  test('user sign-in-link finds a user by address, ignoring case', async (t) => {
    const { db, database, accountId } = await startWithAccount(t, open);
    const { subdomain } = await db.selectFrom('accounts').select('subdomain').executeTakeFirstOrThrow();
    await makeUser(db, accountId, { email: 'ed@example.com' });
    const found = ['user', 'sign-in-link', '--account', subdomain, '--email', 'ED@example.com'];
    assert.equal((await runCliJson(database.config, ...found)).user.email, 'ed@example.com');
    const missing = await runCli(database.config, ...found.slice(0, -1), 'nobody@example.com');
    assert.deepEqual([missing.code, missing.out], [1, '']);
    assert.match(missing.error, /"nobody@example.com" of the account does not exist/);
  });
});
