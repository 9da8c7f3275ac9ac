import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Authenticator, type Ceremony, list, map } from '../../../test/authenticator.ts';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { addresses, makeAccount, makeCustomer } from '../../../test/factories.ts';
import { makeUser, PASSWORD, Person, tokenFor } from '../../../test/person.ts';
import { startService, startWithAccount } from '../../../test/service.ts';
import { changeSubdomain } from '../../accounts/change-subdomain.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Db } from '../../db/database.ts';
import { CHALLENGE_LIFETIME_MS } from '../../users/passkeys/challenges.ts';

onEachDatabase('passkeys', (open) => {
  test('a passkey signs in without password and second factor, and shows when it was last used', async (t) => {
    const { service, db, accountId, userId, person, device } = await start(t, open);
    await db
      .transaction()
      .execute((trx) =>
        trx
          .insertInto('second_factors')
          .values({ account_id: accountId, user_id: userId, secret: 'A', confirmed_at: 1, created_at: 1 })
          .execute(),
      );
    device.counter = 7;
    const visitor = new Person(service);
    assert.deepEqual((await signIn(visitor, device)).outcome, [200, { signedIn: true }]);
    assert.equal((await visitor.get('session')).json.user.id, userId);

    const { arePossible, passkeys } = (await person.get('passkeys')).json;
    assert.ok(arePossible);
    assert.equal(passkeys.length, 1);
    assert.deepEqual([passkeys[0].name, passkeys[0].isBackedUp], ['Phone', true]);
    assert.ok(passkeys[0].lastUsedAt >= passkeys[0].createdAt);
    const { counter, transports, may_be_backed_up } = await onlyRow(db);
    assert.deepEqual([counter, transports, may_be_backed_up], [7, 'internal,hybrid', 1]);
    const events = await db.selectFrom('audit_log').select(['action', 'user_id', 'details']).orderBy('id').execute();
    assert.deepEqual(
      events.slice(1).map(({ action, user_id, details }) => [action, user_id, JSON.parse(details)]),
      [
        ['passkey.added', userId, { name: 'Phone' }],
        ['session.started', userId, { by: 'passkey', passkey: 'Phone', name: 'The owner' }],
      ],
    );

    await makeCustomer(db, accountId);
    device.counter = 8;
    const { json } = await signIn(new Person(service), device);
    assert.deepEqual(json, { signedIn: true, firstScreen: 'overview' });
  });

  test('the options for creating a passkey name no user, require verification, and exclude existing passkeys', async (t) => {
    const { db, accountId, person, device, userId } = await start(t, open);
    const options = (await person.post('passkeys/begin', { current: PASSWORD })).json;
    assert.deepEqual(options.rp, { name: 'localhost', id: 'localhost' });
    assert.equal(Buffer.from(options.user.id, 'base64url').toString(), `user_${userId}`);
    const { name } = await ownAccount(db, accountId);
    assert.equal(options.user.name, `ann@example.com (${name})`);
    assert.equal(options.attestation, 'none');
    assert.deepEqual(
      options.excludeCredentials.map(({ id }: { id: string }) => id),
      [device.credentialId],
    );
    const { residentKey, userVerification } = options.authenticatorSelection;
    assert.deepEqual([residentKey, userVerification], ['required', 'required']);
    const wrong = await person.post('passkeys/begin', { current: 'wrong password' });
    assert.deepEqual(wrong.json.error.fields, [{ field: 'current', code: 'wrong' }]);
    const challenge = (await new Person(person.service).post('passkeys/challenge')).json;
    assert.deepEqual(Object.keys(challenge).sort(), ['challenge', 'rpId', 'timeout', 'userVerification']);
    assert.equal(challenge.userVerification, 'required');
  });

  test('a challenge can be answered once, within 10 minutes, even if the answer was wrong', async (t) => {
    const now = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now });
    const { service, db, device } = await start(t, open);
    const visitor = new Person(service);
    const ask = async () => (await visitor.post('passkeys/challenge')).json;
    const challenge = await ask();
    assert.ok(
      !JSON.stringify(await db.selectFrom('passkey_challenges').selectAll().execute()).includes(challenge.challenge),
    );
    const answer = device.get(challenge);
    assert.equal((await visitor.post('passkeys/sign-in', { answer })).status, 200);
    const again = await new Person(service).post('passkeys/sign-in', { answer });
    assert.deepEqual([again.status, again.json.error.code], [401, 'unauthorized']);

    const spoilt = await ask();
    assert.equal(
      (await visitor.post('passkeys/sign-in', { answer: device.get(spoilt, { rpId: 'evil' }) })).status,
      401,
    );
    assert.equal((await visitor.post('passkeys/sign-in', { answer: device.get(spoilt) })).status, 401);
    const own = { challenge: 'bm90IG9uZSBvZiBvdXJz' };
    assert.equal((await visitor.post('passkeys/sign-in', { answer: device.get(own) })).status, 401);

    const late = await ask();
    t.mock.timers.setTime(now + CHALLENGE_LIFETIME_MS);
    assert.equal((await visitor.post('passkeys/sign-in', { answer: device.get(late) })).status, 401);
  });

  test('answers for another origin or host, without verification of the user, or by another key are refused', async (t) => {
    const { service, person, device } = await start(t, open);
    const wrong: readonly Ceremony[] = [
      { origin: 'http://agency.localhost:8080' },
      { origin: 'https://localhost:8080' },
      { rpId: 'agency.localhost' },
      { isVerified: false },
    ];
    for (const ceremony of wrong) {
      const visitor = new Person(service);
      const { status } = await signIn(visitor, device, ceremony);
      assert.deepEqual([status, visitor.cookie], [401, ''], JSON.stringify(ceremony));
      const reply = await register(person, new Authenticator(), { ceremony });
      assert.deepEqual([reply.status, reply.json.error.code], [409, 'conflict'], JSON.stringify(ceremony));
    }
    const impostor = Object.assign(new Authenticator(), {
      credentialId: device.credentialId,
      userHandle: device.userHandle,
    });
    assert.equal((await signIn(new Person(service), impostor)).status, 401);
    assert.equal((await signIn(new Person(service), new Authenticator())).status, 401);
    const withNul = { id: 'a\0b', response: { clientDataJSON: 'e30' } };
    for (const answer of [undefined, null, 7, 'text', {}, { id: 'x', response: {} }, withNul]) {
      assert.equal((await new Person(service).post('passkeys/sign-in', { answer })).status, 400);
    }
    const broken = { id: device.credentialId, response: { clientDataJSON: 'e30', userHandle: device.userHandle } };
    assert.equal((await new Person(service).post('passkeys/sign-in', { answer: broken })).status, 401);
  });

  test('a challenge for signing in creates no passkey, and one for creating works only for its user', async (t) => {
    const { service, db, accountId, person, device } = await start(t, open);
    const forSignIn = (await person.post('passkeys/challenge')).json;
    const answer = new Authenticator().create({ ...forSignIn, user: { id: 'dXNlcg' } });
    assert.equal((await person.post('passkeys', { name: 'New', answer })).status, 409);
    const begun = (await person.post('passkeys/begin', { current: PASSWORD })).json;
    assert.equal((await person.post('passkeys/sign-in', { answer: device.get(begun) })).status, 401);
    const other = new Person(service, await tokenFor(db, accountId, (await makeUser(db, accountId)).id));
    const stolen = new Authenticator().create(begun);
    assert.equal((await other.post('passkeys', { name: 'Stolen', answer: stolen })).status, 409);
    assert.equal((await db.selectFrom('passkeys').selectAll().execute()).length, 1);
  });

  test('a passkey whose counter does not grow is refused, since its device may be a copy', async (t) => {
    const { service, device } = await start(t, open);
    device.counter = 5;
    assert.equal((await signIn(new Person(service), device)).status, 200);
    assert.equal((await signIn(new Person(service), device)).status, 401);
    device.counter = 6;
    assert.equal((await signIn(new Person(service), device)).status, 200);
  });

  test('attestation with certificates is refused, so that no client can make the service fetch a URL', async (t) => {
    const { person, db } = await start(t, open);
    for (const attestation of [
      { format: 'packed', statement: map(['x5c', list()]) },
      { format: 'tpm', statement: map() },
    ]) {
      assert.equal((await register(person, new Authenticator(), { attestation })).status, 409);
    }
    assert.equal((await db.selectFrom('passkeys').selectAll().execute()).length, 1);
  });

  test('a passkey belongs to one user of one account: other users cannot see, change or use it', async (t) => {
    const { service, db, accountId, userId, device } = await start(t, open);
    const { subdomain } = await ownAccount(db, accountId);
    const other = await makeAccount(db, 'other');
    const { id: namesake } = await makeUser(db, other.accountId, { email: 'ann@example.com' });
    const elsewhere = await signIn(new Person(service), device, {}, 'other');
    assert.deepEqual([elsewhere.status, elsewhere.json.error.why.reason], [409, 'passkey_of_another_site']);
    assert.equal((await signIn(new Person(service), device, {}, subdomain.toUpperCase())).status, 200);
    await db.transaction().execute((trx) => changeSubdomain(trx, accountId, 'renamed', addresses, operator));
    assert.equal(
      (await signIn(new Person(service), device, {}, subdomain)).status,
      200,
      'links in sent messages have the former subdomain',
    );

    const { id } = await onlyRow(db);
    const colleague = await makeUser(db, accountId);
    for (const [account, user] of [
      [other.accountId, namesake],
      [accountId, colleague.id],
    ] as const) {
      const person = new Person(service, await tokenFor(db, account, user));
      assert.deepEqual((await person.get('passkeys')).json.passkeys, []);
      assert.equal((await person.patch(`passkeys/${id}`, { name: 'Mine' })).status, 404);
      assert.equal((await person.delete(`passkeys/${id}`)).status, 404);
      const again = await register(person, device);
      assert.deepEqual([again.status, again.json.error.why.reason], [409, 'passkey_exists']);
      // The device claims to belong to this user.
      device.userHandle = Buffer.from(`user_${user}`).toString('base64url');
      assert.equal((await signIn(new Person(service), device)).status, 401);
    }
    assert.equal((await onlyRow(db)).user_id, userId);
  });

  test('passkeys can be renamed, removed and restored; a removed one cannot sign in, but ends no session', async (t) => {
    const { service, db, person, device } = await start(t, open);
    const { id } = await onlyRow(db);
    assert.equal((await person.patch(`passkeys/${id}`, { name: ' Old phone ' })).status, 204);
    assert.deepEqual((await person.patch(`passkeys/${id}`, { name: ' ' })).json.error.fields, [
      { field: 'name', code: 'blank' },
    ]);
    const laptop = new Authenticator();
    assert.equal((await register(person, laptop, { name: 'Laptop' })).status, 201);
    const visitor = new Person(service);
    await signIn(visitor, device);
    assert.equal((await person.delete(`passkeys/${id}`)).status, 204);
    const gone = await signIn(new Person(service), device);
    assert.deepEqual([gone.status, gone.json.error.code], [401, 'unauthorized']);
    assert.equal((await visitor.get('session')).status, 200);
    assert.equal(
      (await visitor.post(`passkeys/${id}/restore`)).status,
      404,
      'only the session that removed the passkey may restore it',
    );
    assert.equal((await person.post(`passkeys/${id}/restore`)).status, 204);
    assert.equal((await signIn(new Person(service), device)).status, 200);
    const notices = await db.selectFrom('outbox').select('subject').orderBy('id', 'desc').limit(2).execute();
    assert.deepEqual(
      notices.map(({ subject }) => subject.split(':')[0]),
      ['A passkey was restored', 'A passkey was removed'],
    );
    assert.equal((await person.delete(`passkeys/${id}`)).status, 204);
    const { passkeys } = (await person.get('passkeys')).json;
    assert.deepEqual(
      passkeys.map(({ name }: { name: string }) => name),
      ['Laptop'],
    );
    assert.equal((await signIn(new Person(service), laptop)).status, 200);
    const events = await db.selectFrom('audit_log').select(['action', 'details']).orderBy('id').execute();
    const named = events.map(({ action, details }) => `${action} ${JSON.parse(details).name ?? ''}`);
    assert.ok(named.includes('passkey.renamed Old phone') && named.includes('passkey.removed Old phone'));
  });

  test('notices of removed and restored passkeys are limited to 20 a day each; removing still works', async (t) => {
    const { service, db, person } = await start(t, open);
    const { id } = await onlyRow(db);
    const outcomes = [];
    for (let time = 0; time < 21; time++) {
      outcomes.push((await person.delete(`passkeys/${id}`)).status);
      const restored = await person.post(`passkeys/${id}/restore`);
      outcomes.push(restored.status);
      if (restored.status === 429) assert.ok(Number(restored.headers['retry-after']) > 0);
    }
    assert.deepEqual(outcomes, [...Array(41).fill(204), 429]);
    assert.equal((await person.post(`passkeys/${id}/restore`)).status, 429, 'the passkey can still be restored later');
    const subjects = (await db.selectFrom('outbox').select('subject').execute()).map(({ subject }) => subject);
    const count = (start: string) => subjects.filter((subject) => subject.startsWith(start)).length;
    assert.deepEqual([count('A passkey was removed'), count('A passkey was restored')], [20, 20]);
    assert.deepEqual(await db.selectFrom('passkeys').select('id').execute(), []);
    const warnings = service.log.filter((line) => line.includes('no notice of a removed passkey'));
    assert.equal(warnings.length, 1);
  });

  test('passkeys of removed users and suspended accounts cannot sign in', async (t) => {
    const { service, db, accountId, userId, device } = await start(t, open);
    const suspend = (status: 'active' | 'suspended') =>
      db
        .transaction()
        .execute((trx) => trx.updateTable('accounts').set({ status }).where('id', '=', accountId).execute());
    await suspend('suspended');
    const refused = await signIn(new Person(service), device);
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'suspended']);
    await suspend('active');
    const owner = new Person(service, await tokenFor(db, accountId, (await makeUser(db, accountId)).id));
    assert.equal((await owner.delete(`users/${userId}`)).status, 204);
    assert.equal((await signIn(new Person(service), device)).status, 401);
    assert.deepEqual(await db.selectFrom('passkeys').selectAll().execute(), []);
    assert.equal((await owner.post(`users/${userId}/restore`)).status, 204);
    assert.equal((await signIn(new Person(service), device)).status, 200, 'the removal is undone');

    assert.equal((await owner.delete(`users/${userId}`)).status, 204);
    assert.equal((await register(owner, device, { name: 'Found' })).status, 201);
    assert.equal((await owner.post(`users/${userId}/restore`)).status, 204, 'the user is restored without the passkey');
    assert.equal((await onlyRow(db)).name, 'Found');
  });

  test('a network gets at most 120 passkey challenges a minute', async (t) => {
    const { service } = await start(t, open);
    const ask = async () => (await new Person(service).post('passkeys/challenge')).status;
    const statuses = await Promise.all(Array.from({ length: 121 }, ask));
    assert.equal(statuses.filter((status) => status === 429).length, 1);
  });

  test('passkeys are impossible if PUBLIC_URL has an IP address or no HTTPS, and the app is told', async (t) => {
    for (const [publicUrl, host] of [
      ['http://192.0.2.1:8080', '192.0.2.1'],
      ['http://agency.example.com', 'agency.example.com'],
    ] as const) {
      const database = await open(t);
      const { accountId, userId } = await makeAccount(database.db);
      const service = await startService(t, database, { PUBLIC_URL: publicUrl });
      const more = { Host: host, Origin: publicUrl };
      const person = new Person(service, await tokenFor(database.db, accountId, userId), more);
      assert.deepEqual((await person.get('passkeys')).json, { arePossible: false, passkeys: [] });
      for (const path of ['passkeys/begin', 'passkeys/challenge']) {
        const { status, json } = await person.post(path);
        assert.equal(status, 409);
        assert.equal(json.error.why.reason, 'passkeys_impossible');
      }
    }
  });
});

/** Creates Ann, who is signed in and has a passkey on her phone. */
async function start(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const made = await startWithAccount(t, open);
  const { service, db, accountId } = made;
  const { id: userId } = await makeUser(db, accountId, { email: 'ann@example.com' });
  const person = Object.assign(new Person(service, await tokenFor(db, accountId, userId)), { service });
  const device = new Authenticator();
  const { status, text } = await register(person, device);
  assert.equal(status, 201, text);
  return { ...made, userId, person, device };
}

async function register(
  person: Person,
  device: Authenticator,
  {
    name = 'Phone',
    ceremony,
    attestation,
  }: { name?: string; ceremony?: Ceremony; attestation?: { format: string; statement: Buffer } } = {},
) {
  const options = (await person.post('passkeys/begin', { current: PASSWORD })).json;
  const userHandle = device.userHandle;
  const answer = device.create(options, ceremony, attestation);
  if (userHandle !== '') device.userHandle = userHandle;
  return person.post('passkeys', { name, answer });
}

async function signIn(person: Person, device: Authenticator, ceremony?: Ceremony, account?: string) {
  const answer = device.get((await person.post('passkeys/challenge')).json, ceremony);
  return person.post('passkeys/sign-in', { answer, ...(account && { account }) });
}

function ownAccount(db: Db, accountId: number) {
  return db.selectFrom('accounts').select(['name', 'subdomain']).where('id', '=', accountId).executeTakeFirstOrThrow();
}

function onlyRow(db: Db) {
  return db.selectFrom('passkeys').selectAll().executeTakeFirstOrThrow();
}
