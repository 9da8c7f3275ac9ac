import assert from 'node:assert/strict';
import { test } from 'node:test';
import { databases, makeEmptyDatabase } from '../test/databases.ts';
import { openMailbox } from '../test/mailbox.ts';
import { Person } from '../test/person.ts';
import { startProgram } from './program.ts';

for (const kind of databases) {
  test(`from the mail that says a website is ready to a new password, over two workers (${kind})`, async (t) => {
    const database = await makeEmptyDatabase(t, kind);
    const mailbox = await openMailbox(t);
    const program = await startProgram(t, database, { WORKERS: '2', SMTP_URL: mailbox.url });
    const origin = `http://localhost:${program.port}`;
    const person = new Person(program.service, undefined, { Origin: origin });

    await program.service.createCustomer(program.key, { account_subdomain: 'bakery', user_password: 'rise at four' });
    const [ready] = await mailbox.received(1);
    assert.ok(ready!.email.text!.includes(`${origin}/sign-in?account=bakery\n`));
    const email = 'ann@example.com';
    const first = await person.post('sign-in', { email, password: 'rise at four', account: 'bakery' });
    assert.deepEqual(first.json, { signedIn: true });
    // Whichever worker gets it.
    for (let time = 0; time < 10; time++) assert.equal((await person.get('session')).json.account.subdomain, 'bakery');

    const stranger = new Person(program.service, undefined, { Origin: origin });
    assert.equal((await stranger.post('forgotten-password', { email })).status, 204);
    const [, message] = await mailbox.received(2);
    const token = /#token=([\w-]{43})\n/.exec(message!.email.text!)![1]!;
    const chosen = { token, password: 'rise late for cake', confirmation: 'rise late for cake' };
    assert.deepEqual((await stranger.post('reset-password', chosen)).json, { signedIn: true });
    assert.equal((await person.get('session')).status, 401, 'the old sessions are over');
    assert.equal((await stranger.get('session')).json.user.email, email);

    const cookie = stranger.cookie.split('=')[1]!;
    assert.deepEqual(await program.stop(), { code: 0, signal: null });
    for (const secret of [token, cookie, 'rise at four', 'rise late for cake']) {
      assert.ok(!program.out.includes(secret) && !program.errors.includes(secret));
    }
  });
}
