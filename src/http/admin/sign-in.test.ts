import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { givePassword, makeUser, PASSWORD, Person, proveAddress, signedInAs, tokenFor } from '../../../test/person.ts';
import { startService, startWithAccount } from '../../../test/service.ts';
import { getAccount } from '../../accounts/account.ts';
import { changeSubdomain } from '../../accounts/change-subdomain.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Db } from '../../db/database.ts';
import { endSessions } from '../../users/end-sessions.ts';
import { makeLink } from '../../users/one-time-links.ts';
import { verifyPassword } from '../../users/password.ts';
import { setPassword } from '../../users/set-password.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const email = 'ann@example.com';

onEachDatabase('signing in', (open) => {
  test('signing in sets an HttpOnly cookie, of whose token the database has only a hash', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { email, name: 'Ann', role: 'editor' });
    const person = new Person(service);
    const { outcome, headers } = await person.post('sign-in', { email: ' Ann@Example.com ', password: PASSWORD });
    assert.deepEqual(outcome, [200, { signedIn: true }]);
    assert.match(headers['set-cookie']![0]!, /^session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
    const token = person.cookie.split('=')[1]!;
    assert.ok(!JSON.stringify(await db.selectFrom('sessions').selectAll().execute()).includes(token));
    const { user, account } = (await person.get('session')).json;
    assert.deepEqual(user, {
      id,
      name: 'Ann',
      email,
      role: 'editor',
      permissions: ['view_pages', 'edit_pages', 'administer_pages'],
      hasPassword: true,
      hasSecondFactor: false,
    });
    assert.equal(account.id, accountId);
    assert.equal(account.address, `http://${account.subdomain}.localhost:8080`);
    assert.equal(account.timeZone, 'UTC');
  });

  test('the answer to signing in or setting a password names the overview if it is the first screen', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { email });
    await makeCustomer(db, accountId);
    const expected = { signedIn: true, firstScreen: 'overview' };
    assert.deepEqual((await new Person(service).post('sign-in', { email, password: PASSWORD })).json, expected);
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, id, 'reset_password'));
    const chosen = { token, password: 'a new password' };
    assert.deepEqual((await new Person(service).post('reset-password', chosen)).json, expected);
  });

  test('a session with the former name of the cookie stays valid, and gets the present name', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { email });
    const token = await tokenFor(db, accountId, id);
    const former = new Person(service);
    former.cookie = `freehold=${token}`;
    const { status, headers } = await former.get('session');
    assert.equal(status, 200);
    assert.deepEqual(headers['set-cookie'], [
      `session=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000`,
      'freehold=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
    assert.equal((await former.get('session')).headers['set-cookie'], undefined);
  });

  test('requests from a tab of another user or another account are refused', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { email });
    const person = new Person(service, await tokenFor(db, accountId, id));
    const settings = { name: 'Bakehouse' };
    const own = { 'Session-Owner': `${accountId}/${id}` };
    assert.equal((await person.patch('settings', settings, own)).status, 200);
    for (const owner of [`${accountId}/${id + 1}`, `${accountId + 1}/${id}`, '']) {
      const { status, json } = await person.patch('settings', { name: 'Else' }, { 'Session-Owner': owner });
      assert.deepEqual([status, json.error.code], [401, 'unauthorized'], owner);
    }
    assert.equal((await person.get('session', own)).json.account.name, 'Bakehouse');
  });

  test('the answer is the same for an unknown address, a wrong password and a user without a password', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const person = new Person(service);
    const attempts = [
      { email, password: 'wrong password' },
      { email: 'nobody@example.com', password: PASSWORD },
      { email: 'olivia@example.com', password: PASSWORD },
      { email, password: PASSWORD, account: 'no-such-site' },
      { email, password: 'x'.repeat(50_000) },
    ];
    for (const attempt of attempts) {
      const { outcome, headers } = await person.post('sign-in', attempt);
      const message = 'The address or the password is wrong.';
      assert.deepEqual(outcome, [401, { error: { code: 'unauthorized', message } }]);
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  test('a user can sign in with the former subdomain of the account, until another account has it', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const { subdomain: former } = await getAccount(db, accountId);
    const settings = { publicUrl: 'http://localhost:8080', sitesDomain: 'localhost:8080' };
    await db.transaction().execute((trx) => changeSubdomain(trx, accountId, 'renamed', settings, operator));
    const person = new Person(service);
    const byMail = { email, password: PASSWORD, account: former };
    assert.deepEqual((await person.post('sign-in', byMail)).json, { signedIn: true });
    assert.equal((await person.get('session')).json.account.subdomain, 'renamed');
    const longAgo = { released_at: 0 };
    await db.transaction().execute((trx) => trx.updateTable('released_subdomains').set(longAgo).execute());
    await makeAccount(db, former);
    assert.equal((await new Person(service).post('sign-in', byMail)).status, 401);
  });

  test('a user with several accounts and one password gets a choice, unless the request names an account', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { email });
    await proveAddress(db, id);
    const subdomains = ['one', 'two', 'three', 'four', 'five', 'six'];
    for (const subdomain of subdomains) {
      const account = await makeAccount(db, subdomain);
      await makeUser(db, account.accountId, { email });
    }
    const otherwise = await makeAccount(db, 'otherwise');
    const other = await makeUser(db, otherwise.accountId, { email });
    await givePassword(db, other.id, 'another password');
    const person = new Person(service);
    const { json } = await person.post('sign-in', { email, password: PASSWORD });
    assert.equal(person.cookie, '');
    assert.equal(json.choose.length, 7);
    assert.deepEqual(json.choose[0], { subdomain: 'six', name: 'Account six' });
    assert.ok(!json.choose.some(({ subdomain }: { subdomain: string }) => subdomain === 'otherwise'));

    await person.post('sign-in', { email, password: PASSWORD, account: 'Two' });
    assert.equal((await person.get('session')).json.account.subdomain, 'two');
    await proveAddress(db, other.id);
    const alone = await person.post('sign-in', { email, password: 'another password' });
    assert.deepEqual(alone.json, { signedIn: true });
    assert.equal((await person.get('session')).json.account.subdomain, 'otherwise');
  });

  test('users of a suspended account are told so after the right password, and their sessions are refused', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const person = await signedInAs(service, db, accountId);
    await db
      .transaction()
      .execute((trx) => trx.updateTable('accounts').set({ status: 'suspended' }).where('id', '=', accountId).execute());
    const stranger = new Person(service);
    const right = await stranger.post('sign-in', { email, password: PASSWORD });
    assert.deepEqual([right.status, right.json.error.code], [403, 'suspended']);
    assert.match(right.json.error.message, /suspended/);
    assert.equal((await stranger.post('sign-in', { email, password: 'wrong password' })).status, 401);
    assert.equal((await person.get('session')).json.error.code, 'suspended');
    assert.equal((await person.post('sign-out')).status, 204);
  });

  test('each sign-in starts a new session, and ends the previous one of the browser', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const person = new Person(service);
    await person.post('sign-in', { email, password: PASSWORD });
    const before = person.cookie;
    await person.post('sign-in', { email, password: PASSWORD });
    assert.notEqual(person.cookie, before);
    assert.equal((await person.get('sessions')).json.sessions.length, 1);
    person.cookie = before;
    assert.equal((await person.get('session')).status, 401);
  });

  test('sessions end after 14 days without a request, and after 90 days in any case', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const idle = await signedInAs(service, db, accountId);
    const busy = await signedInAs(service, db, accountId);
    const at = async (person: Person, days: number) => {
      t.mock.timers.setTime(start + days * DAY_MS);
      const { status } = await person.get('session');
      if (status === 200) await untilSeenAt(db, start + days * DAY_MS);
      return status;
    };
    assert.equal(await at(busy, 10), 200);
    assert.equal(await at(idle, 13.9), 200);
    assert.equal(await at(busy, 23.9), 200);
    assert.equal(await at(idle, 28), 401);
    for (let day = 35; day < 90; day += 10) assert.equal(await at(busy, day), 200, `day ${day}`);
    assert.equal(await at(busy, 89.9), 200);
    assert.equal(await at(busy, 90.1), 401);
  });

  test('the use of a session is recorded once a minute', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const useAt = async (after: number) => {
      t.mock.timers.setTime(start + after);
      await person.get('session');
    };
    await useAt(59_000);
    await useAt(61_000);
    await untilSeenAt(db, start + 61_000);
    await useAt(100_000);
    // This use would be within a minute of the previous one, if that had been recorded.
    await useAt(122_000);
    await untilSeenAt(db, start + 122_000);
  });

  test('users can list their own sessions, and end another one, the present one, or all', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { email });
    const here = new Person(service, undefined, { 'User-Agent': 'Browser here' });
    await here.post('sign-in', { email, password: PASSWORD });
    const there = new Person(service, await tokenFor(db, accountId, id));
    const elsewhere = await signedInAs(service, db, accountId);
    const { sessions } = (await here.get('sessions')).json;
    assert.equal(sessions.length, 2);
    const current = sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent);
    assert.deepEqual([current.userAgent, current.ip], ['Browser here', '127.0.0.1']);
    const other = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    assert.equal(
      (await elsewhere.delete(`sessions/${other.id}`)).status,
      404,
      'users cannot end sessions of other users',
    );
    assert.equal((await here.delete(`sessions/${other.id}`)).status, 204);
    assert.equal((await there.get('session')).status, 401);
    assert.equal((await here.delete(`sessions/${other.id}`)).status, 404);

    there.cookie = `session=${await tokenFor(db, accountId, id)}`;
    const { cookie } = here;
    assert.equal((await here.post('sign-out')).status, 204);
    assert.equal(here.cookie, '');
    here.cookie = cookie;
    assert.equal((await here.get('session')).status, 401);
    here.cookie = `session=${await tokenFor(db, accountId, id)}`;
    assert.equal((await here.post('sign-out-everywhere')).status, 204);
    assert.equal((await there.get('session')).status, 401);
    assert.equal((await elsewhere.get('session')).status, 200);
  });

  test('guesses at passwords are limited across processes, for known and unknown addresses alike', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, database, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const another = await startService(t, database);
    for (const address of [email, 'nobody@example.com']) {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 6; attempt++) {
        const person = new Person(attempt % 2 ? service : another);
        statuses.push((await person.post('sign-in', { email: address, password: 'wrong password' })).status);
      }
      assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
      const { headers, json } = await new Person(service).post('sign-in', { email: address, password: PASSWORD });
      assert.equal(headers['retry-after'], '1');
      assert.deepEqual(json.error, { code: 'rate_limited', message: 'Too many attempts. Try again in a second.' });
    }
  });

  test('guesses at many addresses from one network are limited', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service } = await startWithAccount(t, open, { TRUST_PROXY: 'loopback' });
    const from = (ip: string) => new Person(service, undefined, { 'X-Forwarded-For': ip });
    const guess = async (ip: string, number: number) =>
      (await from(ip).post('sign-in', { email: `a${number}@example.com`, password: 'wrong password', account: 'a' }))
        .status;
    for (let number = 0; number < 20; number++) assert.equal(await guess(`2001:db8::${number + 1}`, number), 401);
    assert.equal(await guess('2001:db8::ffff', 100), 429, 'a whole /64 counts as one network');
    assert.equal(await guess('2001:db8:1::1', 101), 401);
  });

  test('guesses of strangers do not lock out an owner on a known network', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await startWithAccount(t, open, { TRUST_PROXY: 'loopback' });
    await makeUser(db, accountId, { email });
    const from = (ip: string, password: string) =>
      new Person(service, undefined, { 'X-Forwarded-For': ip }).post('sign-in', { email, password });
    assert.equal((await from('198.51.100.7', PASSWORD)).status, 200);
    for (let attempt = 0; attempt < 5; attempt++) await from(`203.0.113.${attempt}`, 'wrong password');
    assert.equal((await from('203.0.113.9', PASSWORD)).status, 429, 'from an unknown network');
    assert.equal((await from('198.51.100.7', PASSWORD)).status, 200);
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) statuses.push((await from('198.51.100.7', 'wrong password')).status);
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429], 'guesses from the known network are limited, too');
  });

  test('an attacker’s own account for an address does not allow more guesses at its other accounts', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db } = await startWithAccount(t, open);
    const { accountId } = await makeAccount(db, 'agency-of-ann');
    const { id } = await makeUser(db, accountId, { email });
    await givePassword(db, id, 'the right password');
    const { accountId: strangers } = await makeAccount(db, 'strangers');
    await makeUser(db, strangers, { email });
    const send = async (password: string, account?: string) =>
      (await new Person(service).post('sign-in', { email, password, ...(account && { account }) })).status;
    assert.equal(await send(PASSWORD, 'strangers'), 200);
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      for (const guess of ['first guess', 'second guess']) statuses.push(await send(guess));
      assert.equal(await send(PASSWORD, 'strangers'), 200);
    }
    assert.deepEqual(statuses, Array(8).fill(401));
    assert.equal(await send('the right password'), 401, 'the other accounts are not tried any more');
    assert.equal(await send('the right password', 'agency-of-ann'), 429);
  });

  test('an account that a stranger created for the owner’s address does not affect the owner’s known network', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await startWithAccount(t, open, { TRUST_PROXY: 'loopback' });
    await makeUser(db, accountId, { email });
    const from = (ip: string, password: string) =>
      new Person(service, undefined, { 'X-Forwarded-For': ip }).post('sign-in', { email, password });
    const home = '198.51.100.7';
    assert.equal((await from(home, PASSWORD)).status, 200);
    const { accountId: strangers } = await makeAccount(db, 'strangers');
    const other = await makeUser(db, strangers, { email });
    await givePassword(db, other.id, 'another password');
    assert.equal((await from(home, 'a wrong password')).status, 401);
    for (let attempt = 0; attempt < 6; attempt++) await from(`203.0.113.${attempt}`, 'wrong password');
    assert.equal((await from(home, PASSWORD)).status, 200);
    assert.equal((await from(home, 'another password')).status, 401, 'the other account has no known network');
    const named = { email, password: 'another password', account: 'strangers' };
    const there = new Person(service, undefined, { 'X-Forwarded-For': home });
    assert.equal((await there.post('sign-in', named)).status, 429);
    assert.equal((await from('203.0.113.9', PASSWORD)).status, 429);
    assert.equal((await from('203.0.113.9', 'another password')).status, 429);
  });

  test('a user who has signed in from a network is tried first there among many with the same address', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const signIn = (password: string) => new Person(service).post('sign-in', { email, password });
    assert.equal((await signIn(PASSWORD)).status, 200);
    for (const subdomain of ['one', 'two', 'three', 'four', 'five']) {
      const made = await makeAccount(db, subdomain);
      const { id } = await makeUser(db, made.accountId, { email });
      await givePassword(db, id, 'another password');
      await tokenFor(db, made.accountId, id);
    }
    assert.equal((await signIn(PASSWORD)).status, 200);
  });

  test('a network that is known to one account of an address allows no more guesses at the others', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const { accountId: strangers } = await makeAccount(db, 'strangers');
    const other = await makeUser(db, strangers, { email });
    await givePassword(db, other.id, 'another password');
    const signIn = (password: string) => new Person(service).post('sign-in', { email, password });
    assert.equal((await signIn('another password')).status, 200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 5; guess++) {
      statuses.push((await signIn('wrong password')).status);
      if (guess < 4)
        assert.equal((await signIn('another password')).status, 200, 'this resets no guesses at the first account');
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401]);
    assert.equal((await signIn(PASSWORD)).status, 401, 'the network is unknown to this account');
    assert.equal((await signIn('another password')).status, 200, 'the network is known to this account');
  });

  test('a sign-in fails if the password is changed while it is being verified', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { email });
    // The verification of the sign-in waits for all of these: each has its own key, and keys take turns.
    const queue = Array.from({ length: 30 }, (_, n) =>
      verifyPassword(EXPENSIVE_HASH, 'another password', `waiting ${n}`),
    );
    const signingIn = new Person(service).post('sign-in', { email, password: PASSWORD });
    while ((await db.selectFrom('sign_in_attempts').select('key').execute()).length === 0) await setImmediate();
    await db.transaction().execute(async (trx) => {
      await setPassword(trx, accountId, id, { passwordHash: 'of another password', byMailedLink: false });
      await endSessions(trx, accountId, id);
    });
    assert.equal((await signingIn).status, 401);
    await Promise.all(queue);
    assert.deepEqual(await db.selectFrom('sessions').select('id').execute(), []);
  });

  test('the log contains no passwords and no tokens', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    await makeUser(db, accountId, { email });
    const person = new Person(service);
    await person.post('sign-in', { email, password: 'wrong password' });
    await person.post('sign-in', { email, password: PASSWORD });
    const token = person.cookie.split('=')[1]!;
    await person.get(`session?token=${token}`);
    await service.stop();
    const log = service.log.join('');
    for (const secret of [PASSWORD, 'wrong password', token]) assert.ok(!log.includes(secret));
    assert.match(log, /"path":"\/admin\/session","status":200,.*"accountId":\d+,"userId":\d+,/);
  });
});

const EXPENSIVE_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$/rxL15RM/puZ3TZzvPldjA$Vt1RzsNE8LeqeKZqoRPly1U+jJp/FSJp3fieKSeeXnU';

/** Waits until a session's use at this time is recorded, which happens after the response. */
async function untilSeenAt(db: Db, time: number): Promise<void> {
  const seen = db.selectFrom('sessions').select('id').where('last_seen_at', '=', time);
  while (!(await seen.executeTakeFirst())) await setImmediate();
}
