import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer, settings } from '../../../test/factories.ts';
import { givePassword, makeUser, PASSWORD, Person, proveAddress, tokenFor } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import type { Db } from '../../db/database.ts';
import { mailPasswordLinks } from '../../users/forgotten-password.ts';
import { makeLink } from '../../users/one-time-links.ts';
import { hashPassword } from '../../users/password.ts';

const email = 'ann@example.com';
const HOME = '198.51.100.7';
const THEIRS = 'the password of a stranger';

/** Anyone with an API key can create an account for another person's mail address. */
onEachDatabase("strangers' accounts for the owner's mail address", (open) => {
  test('a stranger’s sign-in to their own account does not reset the limit on guesses at the owner’s account', async (t) => {
    const { signIn, db, stranger, accountId } = await begin(t, open);
    const { id } = await stranger('strangers');
    const guesses = await Promise.all(Array.from({ length: 8 }, (_, number) => hashPassword(`guess ${number}`, 1)));
    const outcomes: unknown[] = [];
    for (const [number, password_hash] of guesses.entries()) {
      const set = { password_hash };
      await db.transaction().execute((trx) => trx.updateTable('users').set(set).where('id', '=', id).execute());
      outcomes.push((await signIn(`203.0.113.${number}`, `guess ${number}`)).status);
    }
    assert.deepEqual(outcomes, [200, 200, 200, 200, 200, 429, 429, 429]);
    await givePassword(db, id, PASSWORD);
    const own = await signIn('203.0.113.1', PASSWORD);
    assert.deepEqual(own.json, { signedIn: true }, 'on a known network, only their own account is tried');
    const { length } = await db.selectFrom('sessions').select('id').where('account_id', '=', accountId).execute();
    assert.equal(length, 0);
  });

  test('concurrent sign-ins to a stranger’s account are counted before any password is verified', async (t) => {
    const { signIn, stranger } = await begin(t, open);
    await stranger('strangers');
    const replies = await Promise.all(Array.from({ length: 12 }, (_, number) => signIn(`203.0.113.${number}`, THEIRS)));
    assert.equal(replies.filter(({ status }) => status === 200).length, 5);
  });

  test('a stranger’s sign-in by account name on the owner’s network does not reset guesses at the owner’s', async (t) => {
    const { signIn, stranger } = await begin(t, open);
    await stranger('strangers');
    assert.equal((await signIn(HOME, PASSWORD, 'of-ann')).status, 200);
    const statuses: number[] = [];
    for (let guess = 0; guess < 6; guess++) {
      statuses.push((await signIn(HOME, `guess ${guess}`, 'of-ann')).status);
      assert.equal((await signIn(HOME, THEIRS, 'strangers')).status, 200);
    }
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429]);
  });

  test('a stranger’s sign-in without account name on the owner’s network does not reset guesses either', async (t) => {
    const { signIn, stranger } = await begin(t, open);
    await stranger('strangers');
    assert.equal((await signIn(HOME, PASSWORD, 'of-ann')).status, 200);
    for (let guess = 0; guess < 5; guess++) {
      assert.equal((await signIn(HOME, `guess ${guess}`)).status, 401);
      assert.deepEqual((await signIn(HOME, THEIRS)).json, { signedIn: true });
    }
    assert.equal((await signIn(HOME, PASSWORD)).status, 401, 'the owner’s account is not tried any more');
    assert.equal((await signIn(HOME, PASSWORD, 'of-ann')).status, 429);
  });

  test('using a mailed link for a stranger’s account does not reset guesses at the owner’s account', async (t) => {
    const { signIn, stranger, db, from } = await begin(t, open);
    const { id, accountId } = await stranger('strangers');
    const factor = { account_id: accountId, user_id: id, secret: 'A'.repeat(32), created_at: 1, confirmed_at: 1 };
    await db.transaction().execute((trx) => trx.insertInto('second_factors').values(factor).execute());
    assert.equal((await signIn(HOME, PASSWORD, 'of-ann')).status, 200);
    for (let guess = 0; guess < 5; guess++) await signIn(HOME, `guess ${guess}`, 'of-ann');
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, id, 'reset_password'));
    const chosen = { password: 'copper lantern meadow' };
    assert.equal((await from(HOME).post('reset-password', { token, ...chosen })).status, 200);
    assert.equal((await signIn(HOME, PASSWORD, 'of-ann')).status, 429);
  });

  test('a stranger with an account for an address cannot tell whether the address has other accounts', async (t) => {
    const { service, stranger } = await begin(t, open);
    const other = 'bob@example.com';
    await stranger('strangers');
    await stranger('alone', other);
    const seen = async (address: string, first: number) => {
      const send = async (ip: number, password: string) => {
        const person = new Person(service, undefined, { 'X-Forwarded-For': `203.0.113.${first + ip}` });
        const { status, json } = await person.post('sign-in', { email: address, password });
        return [status, json.signedIn ?? json.error.code];
      };
      const outcomes: unknown[] = [];
      for (const ip of [1, 1, 1, 1, 1, 1]) outcomes.push(await send(ip, THEIRS));
      for (const ip of [1, 2]) outcomes.push(await send(ip, 'wrong password'));
      for (const ip of [1, 2]) outcomes.push(await send(ip, THEIRS));
      return outcomes;
    };
    assert.deepEqual(await seen(email, 0), await seen(other, 100));
  });

  test('an owner who has proved the address can sign in to several accounts without limit', async (t) => {
    const { signIn, stranger, db, id } = await begin(t, open);
    await proveAddress(db, id);
    const second = await stranger('second');
    await proveAddress(db, second.id);
    assert.equal((await signIn(HOME, THEIRS, 'second')).status, 200);
    for (let time = 0; time < 8; time++) assert.equal((await signIn(HOME, PASSWORD)).status, 200);
    assert.equal((await signIn(HOME, THEIRS)).status, 200);
    assert.equal((await signIn('203.0.113.9', THEIRS)).status, 200);
  });

  test('fifty accounts of strangers with sessions do not keep the owner from signing in or getting links', async (t) => {
    const { service, db, accountId, signIn, stranger } = await begin(t, open);
    for (let number = 0; number < 50; number++) {
      const made = await stranger(`stranger-${number}`);
      await tokenFor(db, made.accountId, made.id);
    }
    assert.deepEqual((await signIn('203.0.113.1', PASSWORD)).json, { signedIn: true }, 'without a named account');
    assert.equal((await signIn('203.0.113.2', PASSWORD, 'of-ann')).status, 200);
    const clientInfo = { ip: '203.0.113.3', network: '203.0.113.3', userAgent: '' };
    await mailPasswordLinks(db, { email, account: undefined, clientInfo }, settings);
    const links = await listPasswordLinks(db);
    assert.equal(links.length, 5);
    assert.ok(links.some(({ account_id }) => account_id === accountId));
    assert.equal((await signIn('203.0.113.4', THEIRS, 'stranger-49')).status, 200);
    await service.stop();
  });

  test('an owner who has opened a mailed link comes before older accounts of strangers', async (t) => {
    const { service, db, signIn, stranger } = await begin(t, open, { isLast: true });
    for (let number = 0; number < 6; number++) await stranger(`stranger-${number}`);
    const { accountId } = await makeAccount(db, 'late');
    const { id } = await makeUser(db, accountId, { email });
    assert.equal((await signIn('203.0.113.1', PASSWORD)).status, 401);
    const token = await db.transaction().execute((trx) => makeLink(trx, accountId, id, 'reset_password'));
    const chosen = { password: 'copper lantern meadow' };
    assert.equal((await new Person(service).post('reset-password', { token, ...chosen })).status, 200);
    assert.deepEqual((await signIn('203.0.113.2', chosen.password)).json, { signedIn: true });
    const clientInfo = { ip: '203.0.113.3', network: '203.0.113.3', userAgent: '' };
    await mailPasswordLinks(db, { email, account: undefined, clientInfo }, settings);
    const links = await db.selectFrom('one_time_links').select('account_id').where('used_at', 'is', null).execute();
    assert.equal(links[0]!.account_id, accountId);
  });

  test('strangers’ accounts get 100 links a day to one address, in addition to those of an owner who proved it', async (t) => {
    const { db, id, accountId } = await begin(t, open);
    await proveAddress(db, id);
    await addCustomers(db, 4);
    const clientInfo = { ip: '203.0.113.3', network: '203.0.113.3', userAgent: '' };
    for (let time = 0; time < 26; time++)
      await mailPasswordLinks(db, { email, account: undefined, clientInfo }, settings);
    const links = await listPasswordLinks(db);
    const own = links.filter((link) => link.account_id === accountId);
    assert.deepEqual([own.length, links.length - own.length], [26, 100]);
  });

  test('links to strangers’ accounts do not use up the limit of an owner who has never opened a link', async (t) => {
    const { db, accountId } = await begin(t, open);
    const customers = await addCustomers(db, 4);
    const clientInfo = { ip: '203.0.113.3', network: '203.0.113.3', userAgent: '' };
    for (let time = 0; time < 26; time++) {
      for (const account of customers) await mailPasswordLinks(db, { email, account, clientInfo }, settings);
    }
    for (const account of [undefined, 'of-ann']) await mailPasswordLinks(db, { email, account, clientInfo }, settings);
    const links = await listPasswordLinks(db);
    const own = links.filter((link) => link.account_id === accountId);
    assert.deepEqual([own.length, links.length - own.length], [2, 100]);
  });

  test('confirming a new address does not count as proof, since a stranger may know the password', async (t) => {
    const { service, db, accountId, id } = await begin(t, open);
    await proveAddress(db, id);
    const token = await db
      .transaction()
      .execute((trx) => makeLink(trx, accountId, id, 'change_email', 'new@example.com'));
    assert.equal((await new Person(service).post('confirm-email', { token })).status, 200);
    const user = await db.selectFrom('users').select('address_proved_at').where('id', '=', id).executeTakeFirst();
    assert.equal(user!.address_proved_at, null);
  });

  test('a sign-in tries more than four accounts of an address only if the user has proved it', async (t) => {
    const { db, id, signIn, stranger } = await begin(t, open);
    for (const subdomain of ['two', 'three', 'four', 'five', 'six']) {
      const made = await stranger(subdomain);
      await givePassword(db, made.id, PASSWORD);
    }
    assert.equal((await signIn('203.0.113.1', PASSWORD)).json.choose.length, 4);
    await proveAddress(db, id);
    assert.equal((await signIn('203.0.113.2', PASSWORD)).json.choose.length, 6);
  });
});

/** Lists the requested links. Customers' login instructions have links for another purpose. */
function listPasswordLinks(db: Db): Promise<{ account_id: number }[]> {
  return db.selectFrom('one_time_links').select('account_id').where('purpose', '=', 'reset_password').execute();
}

/** Adds customers of a customer, each with a user of the address. Returns their subdomains. */
async function addCustomers(db: Db, count: number): Promise<string[]> {
  const { accountId } = await makeAccount(db);
  const seller = await makeCustomer(db, accountId);
  const subdomains = Array.from({ length: count }, (_, number) => `stranger-${number}`);
  for (const subdomain of subdomains) await makeUser(db, await makeCustomer(db, seller, subdomain), { email });
  return subdomains;
}

/** Creates an account for Ann. With `isLast`, Ann has no user yet. The clock stands still. */
async function begin(
  t: TestContext,
  openDatabase: (t: TestContext) => Promise<TestDatabase>,
  { isLast = false }: { isLast?: boolean } = {},
) {
  t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
  const { service, db } = await startWithAccount(t, openDatabase, { TRUST_PROXY: 'loopback' });
  const { accountId } = await makeAccount(db, 'of-ann');
  const { id } = isLast ? { id: 0 } : await makeUser(db, accountId, { email });
  const theirs = await hashPassword(THEIRS, 1);
  /** Creates a user with the address in another account, with a password that the stranger knows. */
  const stranger = async (subdomain: string, address = email) => {
    const made = await makeAccount(db, subdomain);
    const user = await makeUser(db, made.accountId, { email: address });
    const set = { password_hash: theirs };
    await db.transaction().execute((trx) => trx.updateTable('users').set(set).where('id', '=', user.id).execute());
    return { accountId: made.accountId, id: user.id };
  };
  const from = (ip: string) => new Person(service, undefined, { 'X-Forwarded-For': ip });
  const signIn = (ip: string, password: string, account?: string) =>
    from(ip).post('sign-in', { email, password, ...(account && { account }) });
  return { service, db, accountId, id, stranger, from, signIn };
}
