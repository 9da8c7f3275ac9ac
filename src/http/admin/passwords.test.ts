import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { beforeClosing, onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, settings } from '../../../test/factories.ts';
import { openMailbox } from '../../../test/mailbox.ts';
import { makeUser, PASSWORD, Person, tokenFor } from '../../../test/person.ts';
import { startService } from '../../../test/service.ts';
import type { Db } from '../../db/database.ts';
import { openTransport } from '../../mail/open-transport.ts';
import { OutboxWorker } from '../../mail/outbox-worker.ts';
import { TOKEN } from '../../mail/placeholders.ts';
import { mailPasswordLinks } from '../../users/forgotten-password.ts';
import { makeLink } from '../../users/one-time-links.ts';
import { removeUser } from '../../users/remove-user.ts';

const MINUTE_MS = 60_000;
const email = 'ann@example.com';
const chosen = { password: 'a new password', confirmation: 'a new password' };

onEachDatabase('passwords', (open) => {
  test('a mailed link lets a user replace a forgotten password, and signs them in', async (t) => {
    const { service, db, accountId, mailbox } = await start(t, open);
    await makeUser(db, accountId, { email, name: 'Ann' });
    const person = new Person(service);
    const headers = { 'X-Forwarded-Host': 'evil.example' };
    assert.equal((await person.post('forgotten-password', { email: 'ANN@example.com' }, headers)).status, 204);
    const [received] = await mailbox.received(1);
    const { text, html, subject } = received!.email;
    assert.equal(subject, 'Choose a new password for Account agency');
    const link = /http:\/\/localhost:8080\/reset-password#token=([\w-]{43})\n/.exec(text!);
    assert.ok(link);
    assert.ok(html!.includes(`href="${link[0].trim()}"`));
    const token = link[1]!;
    assert.ok(!JSON.stringify(await db.selectFrom('one_time_links').selectAll().execute()).includes(token));

    const about = await person.post('one-time-link', { token });
    assert.deepEqual(about.json, { purpose: 'reset_password', email, accountName: 'Account agency' });
    const { outcome } = await person.post('reset-password', { token, ...chosen });
    assert.deepEqual(outcome, [200, { signedIn: true }]);
    assert.equal((await person.get('session')).json.user.email, email);
    const right = await new Person(service).post('sign-in', { email, password: chosen.password });
    assert.equal(right.status, 200);
    assert.equal((await new Person(service).post('sign-in', { email, password: PASSWORD })).status, 401);
  });

  test('the outbox does not contain the token of a sent message', async (t) => {
    const { service, db, accountId, mailbox, mail } = await start(t, open);
    await makeUser(db, accountId, { email });
    await new Person(service).post('forgotten-password', { email });
    const [received] = await mailbox.received(1);
    const token = /token=([\w-]{43})/.exec(received!.email.text!)![1]!;
    await mail.stop();
    assert.ok(!JSON.stringify(await db.selectFrom('outbox').selectAll().execute()).includes(token));
  });

  test('the response to a link request is the same for known and unknown addresses', async (t) => {
    const { service, db, accountId, mailbox } = await start(t, open);
    await makeUser(db, accountId, { email });
    const replies = [];
    for (const address of ['nobody@example.com', 'not an address', email]) {
      const { status, headers, text } = await new Person(service).post('forgotten-password', { email: address });
      const { date: _date, 'x-request-id': _id, ...same } = headers;
      replies.push({ status, same, text });
    }
    assert.deepEqual(replies[0], replies[2]);
    assert.deepEqual(replies[1], replies[2]);
    await mailbox.received(1);
    const messages = (await db.selectFrom('outbox').select('to_email').execute()).map(({ to_email }) => to_email);
    assert.deepEqual(messages, [email]);
  });

  test('an unknown address takes as many SQL statements as a known one, and leaves no rows', async (t) => {
    const { db, accountId } = await start(t, open);
    await makeUser(db, accountId, { email });
    const clientInfo = { ip: '192.0.2.1', network: '192.0.2.1', userAgent: 'Test' };
    const count = async (address: string) => {
      let statements = 0;
      const counting = db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          statements += 1;
          return result;
        },
      });
      await mailPasswordLinks(counting, { email: address, account: undefined, clientInfo }, settings);
      return statements;
    };
    const attempts = db.selectFrom('sign_in_attempts').selectAll();
    const statements = await count(email);
    const before = await attempts.execute();
    assert.ok((await count('nobody@example.com')) >= statements);
    assert.deepEqual(await attempts.execute(), before);
  });

  test('the placeholder for the token in an account name is not replaced by the token', async (t) => {
    const { service, db, accountId, mailbox } = await start(t, open);
    await makeUser(db, accountId, { email });
    const name = `https://evil.example/?${TOKEN}`;
    await db.transaction().execute((trx) => trx.updateTable('accounts').set({ name }).execute());
    await new Person(service).post('forgotten-password', { email });
    const { text = '', html = '' } = (await mailbox.received(1))[0]!.email;
    const token = /reset-password#token=([\w-]{43})\n/.exec(text)![1]!;
    assert.equal(text.split(token).length, 2, text);
    assert.ok(!html.includes(`evil.example/?${token}`));
  });

  test('a removed user gets no mail', async (t) => {
    const { service, db, accountId, mailbox } = await start(t, open);
    const { id } = await makeUser(db, accountId, { email, role: 'editor' });
    await db
      .transaction()
      .execute((trx) => removeUser(trx, accountId, { userId: id, by: { userId: id, role: 'owner' } }));
    const { email_key } = await db
      .selectFrom('users')
      .select('email_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const entered of [email_key, email, 'olivia@example.com']) {
      await new Person(service).post('forgotten-password', { email: entered });
    }
    await mailbox.received(1);
    await service.stop();
    const messages = (await db.selectFrom('outbox').select('to_email').execute()).map(({ to_email }) => to_email);
    assert.deepEqual(messages, ['olivia@example.com']);
  });

  test('an address with several accounts gets a link for each, or only for the named account', async (t) => {
    const { service, db, accountId, mailbox } = await start(t, open);
    await makeUser(db, accountId, { email });
    const { accountId: second } = await makeAccount(db, 'second');
    await makeUser(db, second, { email });
    await new Person(service).post('forgotten-password', { email });
    const subjects = (await mailbox.received(2)).map((message) => message.email.subject);
    assert.deepEqual(subjects.sort(), [
      'Choose a new password for Account agency',
      'Choose a new password for Account second',
    ]);
    await new Person(service).post('forgotten-password', { email, account: 'second' });
    const third = (await mailbox.received(3))[2]!;
    assert.match(third.email.subject!, /second$/);
  });

  test("the invitation of a new customer's user sets a password once, and its link is invalid afterwards", async (t) => {
    const { service, key, mailbox } = await start(t, open);
    await service.createCustomer(key, { account_subdomain: 'bakery', account_name: 'Bakery', user_email: email });
    const token = /reset-password#token=([\w-]{43})/.exec((await mailbox.received(1))[0]!.email.text!)![1]!;
    const stranger = new Person(service);
    const about = { purpose: 'invitation', email, accountName: 'Bakery' };
    assert.deepEqual((await stranger.post('one-time-link', { token })).json, about);
    assert.equal(
      (await stranger.post('sign-in-link', { token })).status,
      404,
      'an invitation must not sign in without a password',
    );
    assert.deepEqual((await stranger.post('reset-password', { token, ...chosen })).json, { signedIn: true });
    const other = new Person(service);
    assert.equal((await other.post('one-time-link', { token })).status, 404);
    assert.equal((await other.post('reset-password', { token, ...chosen })).status, 404);
    const signIn = { email, account: 'bakery', password: chosen.password };
    assert.equal((await other.post('sign-in', signIn)).status, 200);
  });

  test('an owner who never had a password can set one by a link for forgotten passwords', async (t) => {
    const { service, mailbox } = await start(t, open);
    await new Person(service).post('forgotten-password', { email: 'olivia@example.com' });
    const token = /token=([\w-]{43})/.exec((await mailbox.received(1))[0]!.email.text!)![1]!;
    const person = new Person(service);
    assert.equal((await person.post('reset-password', { token, ...chosen })).status, 200);
    assert.equal((await person.get('session')).json.user.role, 'owner');
  });

  test('the fourth link request for an address is refused, whether or not the address is known', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await start(t, open);
    await makeUser(db, accountId, { email });
    const statuses: number[] = [];
    for (const address of [email, 'nobody@example.com']) {
      for (let time = 0; time < 4; time++) {
        statuses.push((await new Person(service).post('forgotten-password', { email: address })).status);
      }
    }
    assert.deepEqual(statuses, [204, 204, 204, 429, 204, 204, 204, 429]);
  });

  test('many link requests of a stranger do not keep the owner from getting a link', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await start(t, open, { TRUST_PROXY: 'loopback' });
    await makeUser(db, accountId, { email });
    const ask = (ip: string) =>
      new Person(service, undefined, { 'X-Forwarded-For': ip }).post('forgotten-password', { email });
    const statuses: number[] = [];
    // The stranger sends a request every minute for five hours.
    for (let minute = 0; minute < 300; minute += 1) {
      statuses.push((await ask('203.0.113.1')).status);
      if ([36, 200, 299].includes(minute)) assert.equal((await ask('198.51.100.7')).status, 204, `minute ${minute}`);
      t.mock.timers.tick(MINUTE_MS);
    }
    assert.equal(statuses.filter((status) => status === 429).length > 270, true);
  });

  test('requests from many networks for other accounts of an address do not keep its owner from getting a link', async (t) => {
    const { service, db, accountId } = await start(t, open, { TRUST_PROXY: 'loopback' });
    await makeUser(db, accountId, { email });
    const ask = async (ip: string, account?: string) => {
      const person = new Person(service, undefined, { 'X-Forwarded-For': ip });
      return (await person.post('forgotten-password', { email, account })).status;
    };
    for (const account of ['nobodys', undefined]) {
      const statuses: number[] = [];
      for (let network = 0; network < 11; network++) statuses.push(await ask(`203.0.${network}.1`, account));
      assert.equal(statuses[10], 429);
    }
    assert.equal(await ask('198.51.100.7', ' Agency '), 204);
  });

  test('whenever requests from many networks lead to refusals, the owner already has a valid link', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await start(t, open, { TRUST_PROXY: 'loopback' });
    await makeUser(db, accountId, { email });
    const links = async (since: number) => {
      const { length } = await db.selectFrom('one_time_links').select('id').where('expires_at', '>', since).execute();
      return length;
    };
    let refused = 0;
    let mailed = 0;
    for (let minute = 0; minute < 4 * 60; minute += 1) {
      const person = new Person(service, undefined, { 'X-Forwarded-For': `2001:db8:0:${minute}::1` });
      const { status, headers } = await person.post('forgotten-password', { email });
      if (status === 204) {
        mailed += 1;
        // The link is created after the response.
        while ((await links(0)) < mailed) await setImmediate();
      } else {
        refused += 1;
        assert.ok(Number(headers['retry-after']) <= 20 * 60);
        assert.ok((await links(Date.now())) > 0, `minute ${minute}`);
      }
      t.mock.timers.tick(MINUTE_MS);
    }
    assert.ok(refused > 200 && mailed <= 22, `${mailed} mailed`);
  });

  test('a link works once, within 30 minutes, and for only one of two concurrent requests', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await start(t, open);
    const { id } = await makeUser(db, accountId, { email });
    const link = () => db.transaction().execute((trx) => makeLink(trx, accountId, id, 'reset_password'));
    const [used, other, old] = [await link(), await link(), await link()];
    const reset = async (token: string) => {
      const reply = await new Person(service).post('reset-password', { token, ...chosen });
      return reply.status === 200 ? 200 : reply.json.error.code;
    };
    const both = await Promise.all([reset(used), reset(used)]);
    assert.deepEqual(both.sort(), [200, 'not_found']);
    assert.equal(await reset(used), 'not_found');
    assert.equal(await reset(other), 'not_found', 'using a link invalidates the others');
    assert.equal(await reset(old), 'not_found');
    const late = await link();
    t.mock.timers.setTime(Date.now() + 30 * MINUTE_MS);
    assert.equal(await reset(late), 'not_found');
    assert.equal(await reset('x'.repeat(43)), 'not_found');
    const wrong = await link();
    const wrongPurpose = await new Person(service).post('sign-in-link', { token: wrong });
    assert.equal(wrongPurpose.status, 404);
  });

  test('a mailed link still works after a password that is too short', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const { id } = await makeUser(db, accountId, { email });
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, id, 'reset_password'));
    const person = new Person(service);
    const { json } = await person.post('reset-password', { token, password: 'short' });
    assert.deepEqual(json.error.fields, [{ field: 'password', code: 'too_short', params: { min: 8 } }]);
    assert.equal((await person.post('reset-password', { token, ...chosen })).status, 200);
  });

  test('a guessable new password is refused, and the mailed link still works afterwards', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const { id } = await makeUser(db, accountId, { email: 'ann.miller@example.com', name: 'Ann Miller' });
    const person = new Person(service);
    const { subdomain } = await db
      .selectFrom('accounts')
      .select('subdomain')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const domain = { account_id: accountId, host: 'vqxwk.example', token: 't', created_at: 1, last_error: null };
    await db.transaction().execute((trx) =>
      trx
        .insertInto('domains')
        .values({ ...domain, verified_at: 1, checked_at: 1 })
        .execute(),
    );
    const common = 'common_password';
    const named = 'personal_password';
    for (const purpose of ['reset_password', 'invitation'] as const) {
      const token = await db.transaction().execute((trx) => makeLink(trx, accountId, id, purpose));
      for (const [password, mistake] of [
        ['password', common],
        ['ＰＡＳＳＷＯＲＤ', common],
        ['Miller2024!', named],
        ['Agency-1234', named],
        [`${subdomain}.localhost`, named],
        ['vqxwk.example', named],
      ] as const) {
        const { status, json } = await person.post('reset-password', { token, password });
        assert.deepEqual([status, json.error.fields], [422, [{ field: 'password', code: mistake }]], password);
      }
      assert.equal((await person.post('reset-password', { token, ...chosen })).status, 200);
    }
    const signedIn = new Person(service, await tokenFor(db, accountId, id));
    const change = { current: chosen.password, password: 'password1', confirmation: 'password1' };
    assert.deepEqual((await signedIn.post('password', change)).json.error.fields, [
      { field: 'password', code: common },
    ]);
    assert.equal((await signedIn.get('session')).status, 200);
  });

  test('a new password ends all sessions of the user, and starts a new one in the browser', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const { id } = await makeUser(db, accountId, { email });
    const newSession = async () => new Person(service, await tokenFor(db, accountId, id));
    const [here, there] = [await newSession(), await newSession()];
    const wrong = await here.post('password', { current: 'wrong password', ...chosen });
    assert.deepEqual(wrong.json.error.fields, [{ field: 'current', code: 'wrong' }]);
    const { cookie } = here;
    assert.equal((await here.post('password', { current: PASSWORD, ...chosen })).status, 204);
    assert.equal((await here.get('session')).status, 200);
    const letters = await db.selectFrom('outbox').select('subject').execute();
    assert.match(letters.map(({ subject }) => subject).join(), /^Your password was changed: /);
    // The former cookie may have been stolen, which may be the reason for the change.
    const copied = new Person(service, cookie.split('=')[1]);
    assert.equal((await copied.get('session')).status, 401);
    assert.equal((await there.get('session')).status, 401);

    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, id, 'reset_password'));
    const elsewhere = new Person(service);
    await elsewhere.post('reset-password', { token, ...chosen });
    assert.equal((await here.get('session')).status, 401);
    assert.equal((await elsewhere.get('session')).status, 200);
  });

  test('the current password cannot be guessed on an unattended computer', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await start(t, open);
    const { id } = await makeUser(db, accountId, { email });
    const person = new Person(service, await tokenFor(db, accountId, id));
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      statuses.push((await person.post('password', { current: `guess ${guess}`, ...chosen })).status);
    }
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429]);
  });
});

async function start(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  options: Readonly<Record<string, string>> = {},
) {
  const database = await open(t);
  const mailbox = await openMailbox(t);
  const transport = openTransport({
    smtpUrl: mailbox.url,
    mailFrom: 'no-reply@freehold.test',
    publicUrl: options.PUBLIC_URL ?? 'http://localhost:8080',
    sitesDomain: 'localhost:8080',
    dataDir: database.config.dataDir,
  });
  // The worker is not notified of link requests, so it polls often.
  const mail = new OutboxWorker(database.db, transport, pino({ level: 'silent' }), { pollIntervalMs: 20 });
  beforeClosing(t, async () => {
    await mail.stop();
    await transport.close();
  });
  mail.start();
  const service = await startService(t, database, options, () => mail.nudge());
  const db: Db = database.db;
  return { service, db, mailbox, mail, ...(await makeAccount(db, 'agency')) };
}
