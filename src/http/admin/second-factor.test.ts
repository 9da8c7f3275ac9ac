import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { givePassword, makeUser, PASSWORD, Person, tokenFor } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { makeLink } from '../../users/one-time-links.ts';
import { codeOf } from '../../users/totp.ts';

const email = 'ann@example.com';
const STEP_MS = 30_000;

onEachDatabase('the second factor', (open) => {
  test('a confirmed second factor is required at sign-in, and each code works once', async (t) => {
    const { service, person, secret, later } = await start(t, open);
    assert.equal((await person.get('session')).json.user.hasSecondFactor, true);
    const signIn = (code?: string) =>
      new Person(service).post('sign-in', { email, password: PASSWORD, ...(code && { code }) });
    const asked = await signIn();
    assert.deepEqual([asked.status, asked.json.error.code], [401, 'second_factor']);
    assert.equal(asked.headers['set-cookie'], undefined);
    const wrong = await signIn('000000');
    assert.deepEqual([wrong.status, wrong.json.error.code], [401, 'second_factor']);
    const code = later(1);
    assert.deepEqual((await signIn(`${code.slice(0, 3)} ${code.slice(3)}`)).json, { signedIn: true });
    assert.equal((await signIn(code)).status, 401, 'a used code is refused');
    const withWrongPassword = await new Person(service).post('sign-in', {
      email,
      password: 'wrong password',
      code: later(2),
    });
    assert.equal(withWrongPassword.json.error.code, 'unauthorized');
    assert.match(secret, /^[A-Z2-7]{32}$/);
  });

  test('a recovery code replaces the second factor once, and is stored only as a hash', async (t) => {
    const { service, db, recoveryCodes } = await start(t, open);
    assert.equal(recoveryCodes.length, 10);
    const stored = JSON.stringify(await db.selectFrom('recovery_codes').selectAll().execute());
    const code = recoveryCodes[3]!;
    assert.ok(!stored.includes(code) && !stored.includes(code.replaceAll('-', '')));
    const signIn = () => new Person(service).post('sign-in', { email, password: PASSWORD, code: code.toUpperCase() });
    assert.equal((await signIn()).status, 200);
    assert.equal((await signIn()).status, 401);
  });

  test('the sixth guess at a code is refused', async (t) => {
    const { service } = await start(t, open);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      const body = { email, password: PASSWORD, code: `00000${guess}` };
      statuses.push((await new Person(service).post('sign-in', body)).status);
    }
    assert.deepEqual(statuses.slice(0, 5), [401, 401, 401, 401, 401]);
    assert.equal(statuses[5], 429);
  });

  test('a mailed link sets a new password, but does not sign in a user with a second factor', async (t) => {
    const { service, db, accountId, userId, later } = await start(t, open);
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, userId, 'reset_password'));
    const person = new Person(service);
    const chosen = { password: 'a new password' };
    const { outcome } = await person.post('reset-password', { token, ...chosen });
    assert.deepEqual(outcome, [200, { signedIn: false }]);
    assert.equal((await person.get('session')).status, 401);
    const right = await person.post('sign-in', { email, password: chosen.password, code: later(1) });
    assert.equal(right.status, 200);
  });

  test('after using a mailed link, the user can enter a code in spite of guesses from other networks', async (t) => {
    const { service, db, accountId, userId, later } = await start(t, open, { TRUST_PROXY: 'loopback' });
    const from = (ip: string) => new Person(service, undefined, { 'X-Forwarded-For': ip });
    const signIn = (ip: string, password: string, code?: string) =>
      from(ip).post('sign-in', { email, password, ...(code && { code }) });
    for (let guess = 0; guess < 6; guess++) await signIn(`203.0.113.${guess}`, 'wrong password');
    const [home, elsewhere] = ['198.51.100.7', '198.51.100.8'];
    assert.equal((await signIn(home, PASSWORD)).status, 429, 'sign-ins to the address are throttled');

    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, userId, 'reset_password'));
    const chosen = { password: 'a new password' };
    const { outcome } = await from(home).post('reset-password', { token, ...chosen });
    assert.deepEqual(outcome, [200, { signedIn: false }]);
    assert.equal((await signIn(home, chosen.password)).json.error.code, 'second_factor');
    assert.equal(
      (await signIn(elsewhere, chosen.password)).status,
      429,
      'the link lifts the throttle only for the network where it was used',
    );
    assert.equal((await signIn(home, chosen.password, later(1))).status, 200);
  });

  test('after using a mailed link, the user can enter a code in spite of guesses from their own network', async (t) => {
    const { service, db, accountId, userId, later } = await start(t, open);
    const signIn = (password: string, code?: string) =>
      new Person(service).post('sign-in', { email, password, ...(code && { code }) });
    assert.equal((await signIn(PASSWORD, later(1))).status, 200);
    for (let guess = 0; guess < 5; guess++) await signIn('wrong password');
    assert.equal((await signIn(PASSWORD)).status, 429);
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, userId, 'reset_password'));
    const chosen = { password: 'a new password' };
    await new Person(service).post('reset-password', { token, ...chosen });
    assert.equal((await signIn(chosen.password)).json.error.code, 'second_factor');
  });

  test('guesses at the code that turns on the second factor are throttled', async (t) => {
    const { person } = await start(t, open);
    assert.equal((await person.post('second-factor/remove', { current: PASSWORD })).status, 204);
    assert.equal((await person.post('second-factor', { current: PASSWORD })).status, 200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      statuses.push((await person.post('second-factor/confirm', { code: 'no code' })).status);
    }
    assert.deepEqual(statuses, [422, 422, 422, 422, 422, 429]);
  });

  test("a stranger's sign-in to their own account for the address does not reset the limit on guesses at codes", async (t) => {
    const { service, db, person, later } = await start(t, open);
    const { subdomain } = (await person.get('session')).json.account;
    const { accountId } = await makeAccount(db, 'strangers');
    const { id } = await makeUser(db, accountId, { email });
    await givePassword(db, id, 'another password');
    const signIn = async (account: string, password: string, code?: string) =>
      (await new Person(service).post('sign-in', { email, account, password, ...(code && { code }) })).status;
    assert.equal(await signIn(subdomain, PASSWORD, later(1)), 200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      statuses.push(await signIn(subdomain, PASSWORD, 'no code'));
      assert.equal(await signIn('strangers', 'another password'), 200);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });

  test('setting up or removing a second factor requires the password, and a user can have only one', async (t) => {
    const { service, db, person } = await start(t, open);
    const again = await person.post('second-factor', { current: PASSWORD });
    assert.equal(again.status, 409);
    assert.equal((await person.post('second-factor/remove', { current: 'wrong password' })).status, 422);
    for (const _ of ['on', 'off already']) {
      assert.equal((await person.post('second-factor/remove', { current: PASSWORD })).status, 204);
    }
    const letters = await db.selectFrom('outbox').select(['to_email', 'subject', 'text']).orderBy('id').execute();
    assert.deepEqual(
      letters.map(({ to_email: to, subject }) => [to, subject.replace(/: .*/, '')]),
      [
        [email, 'A second factor was set up'],
        [email, 'Your second factor was turned off'],
      ],
    );
    assert.match(
      letters[0]!.text,
      /choose a new password at once.*\n\n[\s\S]*\/settings\/you\n\nWhen: 2030-01-01 00:00 UTC\nIP address: \S+\n/,
    );
    assert.equal((await new Person(service).post('sign-in', { email, password: PASSWORD })).status, 200);
    assert.equal((await person.post('second-factor', { current: 'wrong password' })).status, 422);
    assert.equal((await person.post('second-factor', { current: PASSWORD })).status, 200);
    const wrong = await person.post('second-factor/confirm', { code: '000000' });
    assert.deepEqual(wrong.json.error.fields, [{ field: 'code', code: 'wrong' }]);
    assert.equal(
      (await person.get('session')).json.user.hasSecondFactor,
      false,
      'a factor that is not confirmed does not apply',
    );
  });
});

async function start(
  t: TestContext,
  open: (t: TestContext) => Promise<TestDatabase>,
  environment: Record<string, string> = {},
) {
  const now = Date.UTC(2030, 0, 1);
  t.mock.timers.enable({ apis: ['Date'], now });
  const made = await startWithAccount(t, open, environment);
  const { service, db, accountId } = made;
  const { id: userId } = await makeUser(db, accountId, { email });
  const person = new Person(service, await tokenFor(db, accountId, userId));
  const { secret, uri } = (await person.post('second-factor', { current: PASSWORD })).json;
  assert.ok(uri.startsWith(`otpauth://totp/localhost:ann%40example.com?secret=${secret}`));
  const step = now / STEP_MS;
  const { recoveryCodes } = (await person.post('second-factor/confirm', { code: codeOf(secret, step) })).json;
  /** Sets the clock forward by a number of steps, and returns the code for that time. */
  const later = (steps: number) => {
    t.mock.timers.setTime(now + steps * STEP_MS);
    return codeOf(secret, step + steps);
  };
  return { ...made, userId, person, secret: secret as string, recoveryCodes: recoveryCodes as string[], later };
}
