import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../test/cli.ts';
import { databases, makeMigratedDatabase } from '../test/databases.ts';
import { photo } from '../test/images.ts';
import { openMailbox } from '../test/mailbox.ts';
import { Person } from '../test/person.ts';
import { startProgram } from './program.ts';

for (const kind of databases) {
  test(`a customer signs in, resets the password and uploads images, over two workers (${kind})`, async (t) => {
    const database = await makeMigratedDatabase(t, kind);
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
    // Both workers know the session.
    for (let time = 0; time < 10; time++) assert.equal((await person.get('session')).json.account.subdomain, 'bakery');

    const stranger = new Person(program.service, undefined, { Origin: origin });
    assert.equal((await stranger.post('forgotten-password', { email })).status, 204);
    const [, message] = await mailbox.received(2);
    const token = /#token=([\w-]{43})\n/.exec(message!.email.text!)![1]!;
    const chosen = { token, password: 'rise late for cake' };
    assert.deepEqual((await stranger.post('reset-password', chosen)).json, { signedIn: true });
    assert.equal((await person.get('session')).status, 401, 'a new password ends the old sessions');
    assert.equal((await stranger.get('session')).json.user.email, email);

    const cookie = stranger.cookie.split('=')[1]!;

    // An image uploaded several times at once is stored once, and every worker serves it.
    const [bridge, river] = [await photo(320, 240, 1), await photo(320, 240, 2)];
    const uploads = await Promise.all([bridge, bridge, bridge, river].map((image) => stranger.upload(image)));
    assert.deepEqual(uploads.map(({ status }) => status).sort(), [200, 200, 201, 201]);
    const { media } = (await stranger.get('media')).json;
    assert.equal(media.length, 2);
    for (let time = 0; time < 4; time++) {
      const shown = await program.service.request('GET', media[0].src, { headers: { Host: 'bakery.localhost' } });
      assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/webp']);
    }

    // Killed during several uploads, some received and some being processed: no image is incomplete.
    const many = await Promise.all([3, 4, 5, 6, 7].map((seed) => photo(1600, 1200, seed)));
    const cutOff = many.map((image) => stranger.upload(image).catch(() => undefined));
    // One upload never completes, however quickly the others are processed.
    const [image] = many;
    const length = { 'Content-Length': image!.length };
    const half = stranger.upload(image!.subarray(0, image!.length / 2), 'half.jpg', length).catch(() => undefined);
    await Promise.race(cutOff);
    await program.kill();
    assert.equal(await half, undefined, 'the incomplete upload was cut off');
    await Promise.all(cutOff);
    const doctor = await runCli(database, 'doctor', '--json');
    assert.deepEqual(JSON.parse(doctor.out).problems, []);
    for (const secret of [token, cookie, 'rise at four', 'rise late for cake']) {
      assert.ok(!program.out.includes(secret) && !program.errors.includes(secret));
    }
  });
}
