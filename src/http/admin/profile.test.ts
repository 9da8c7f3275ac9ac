import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeUser, PASSWORD, Person, tokenFor } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import type { Db } from '../../db/database.ts';
import { PUBLIC_URL, TOKEN } from '../../mail/placeholders.ts';
import { reserveMail } from '../../users/mail-budget.ts';
import { LINK_LIFETIMES_MS } from '../../users/one-time-links.ts';

const NEW = 'ann@new.example';

onEachDatabase('the user’s own name and mail address', (open) => {
  test('a user can change their own name, which pages then show', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { role: 'editor', name: 'Ann' });
    const ann = new Person(service, await tokenFor(db, accountId, id));
    const page = (await ann.post('pages', { name: 'Home' })).json;
    assert.equal((await ann.patch('you', { name: ' Ann Baker ' })).status, 204);
    assert.equal((await ann.get('session')).json.user.name, 'Ann Baker');
    assert.equal((await ann.get(`pages/${page.id}`)).json.createdBy, 'Ann Baker');
    assert.deepEqual((await ann.patch('you', { name: ' ' })).json.error.fields, [{ field: 'name', code: 'blank' }]);
  });

  test('a new address applies once the link mailed to it is opened, and the old address is notified', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id, email } = await makeUser(db, accountId);
    const ann = new Person(service, await tokenFor(db, accountId, id));
    const ask = (to: string, current = PASSWORD) => ann.post('email', { email: to, current });
    assert.deepEqual((await ask(NEW, 'wrong password')).json.error.fields, [{ field: 'current', code: 'wrong' }]);
    assert.equal((await ask(` ${NEW} `)).status, 204);
    const [link, notice] = await mails(db);
    assert.deepEqual([link!.to_email, notice!.to_email], [NEW, email]);
    assert.ok(link!.text.includes(`${PUBLIC_URL}/confirm-email#token=${TOKEN}`));
    assert.ok(notice!.text.includes(NEW));
    assert.equal((await ann.get('session')).json.user.email, email, 'the link was not opened yet');

    const stranger = new Person(service);
    const token = link!.secret;
    assert.deepEqual((await stranger.post('one-time-link', { token })).json.email, NEW);
    const misused = { token, password: PASSWORD };
    assert.equal((await stranger.post('reset-password', misused)).status, 404, 'the link must not set a password');
    t.mock.timers.setTime(start + LINK_LIFETIMES_MS.change_email - 1);
    assert.deepEqual((await stranger.post('confirm-email', { token })).json, { email: NEW });
    assert.equal((await stranger.post('confirm-email', { token })).status, 404, 'the link works once');
    assert.equal((await ann.get('session')).json.user.email, NEW, 'the user stays signed in');
    assert.equal((await mails(db)).at(-1)!.to_email, email);
    const signIn = async (address: string) =>
      (await new Person(service).post('sign-in', { email: address, password: PASSWORD })).status;
    assert.deepEqual([await signIn(email), await signIn(NEW)], [401, 200]);
  });

  test('a new address that is invalid or taken is refused, and so are expired and superseded links', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id, email } = await makeUser(db, accountId);
    const ann = new Person(service, await tokenFor(db, accountId, id));
    const ask = async (to: string, current = PASSWORD) => {
      const reply = await ann.post('email', { email: to, current });
      if (reply.status !== 204) return reply.json.error.fields[0].code;
      return (await mails(db)).findLast(({ to_email }) => to_email === to)!.secret;
    };
    assert.equal(await ask('ann'), 'not_a_mail_address');
    assert.equal(await ask(email), 'unchanged');
    assert.equal(await ask('OLIVIA@example.com'), 'taken');
    const follow = async (token: string) => (await new Person(service).post('confirm-email', { token })).status;
    const [first, second] = [await ask('ann@one.example'), await ask('ann@two.example')];
    assert.equal(await follow(first), 404);
    await makeUser(db, accountId, { email: 'ann@two.example' });
    assert.equal(await follow(second), 422, 'another user was invited with the address since');
    const third = await ask('ann@three.example');
    await ann.post('password', { current: PASSWORD, password: 'another one', confirmation: 'another one' });
    assert.equal(await follow(third), 404, 'a new password invalidates the link');
    t.mock.timers.setTime(start + LINK_LIFETIMES_MS.change_email * 8);
    const last = await ask('ann@four.example', 'another one');
    t.mock.timers.setTime(start + LINK_LIFETIMES_MS.change_email * 9);
    assert.equal(await follow(last), 404);
    assert.equal((await ann.get('session')).json.user.email, email);
  });

  test('a user can have links mailed to ten new addresses, whatever networks the requests come from', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await startWithAccount(t, open, { TRUST_PROXY: 'loopback' });
    const { id } = await makeUser(db, accountId, { role: 'viewer' });
    const token = await tokenFor(db, accountId, id);
    const statuses: number[] = [];
    for (let number = 0; number <= 10; number++) {
      const vera = new Person(service, token, { 'X-Forwarded-For': `2001:db8:0:${number}::1` });
      statuses.push((await vera.post('email', { email: `${number}@new.example`, current: PASSWORD })).status);
    }
    assert.deepEqual(statuses, [...Array(10).fill(204), 429]);
  });

  test('entering a crafted address does not reveal whether another address was sent mail', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const { id } = await makeUser(db, accountId, { role: 'viewer' });
    const vera = new Person(service, await tokenFor(db, accountId, id));
    const enter = async (email: string) => (await vera.post('email', { email, current: PASSWORD })).outcome;
    await db.transaction().execute(async (trx) => {
      const message = { cause: 'forgotten password', email: 'ann@example.com', perDay: 100 };
      assert.equal(await reserveMail(trx, message), 0);
    });
    assert.deepEqual(
      await enter('forgotten password ann@example.com'),
      await enter('forgotten password bob@example.com'),
    );
  });
});

function mails(db: Db) {
  return db.selectFrom('outbox').select(['to_email', 'text', 'secret']).orderBy('id').execute();
}
