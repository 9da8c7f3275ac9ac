import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount } from '../../../test/factories.ts';
import { overlapping } from '../../../test/overlap.ts';
import { makeUser, PASSWORD, Person, signedInAs, tokenFor } from '../../../test/person.ts';
import { type Reply, type Service, startService, startWithAccount } from '../../../test/service.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { revokeKeysOfUser } from '../../api-keys/revoke-keys-of-user.ts';
import type { Db, Trx } from '../../db/database.ts';
import { PUBLIC_URL, TOKEN } from '../../mail/placeholders.ts';
import { pruneRemovals, REMOVAL_RETENTION_MS } from '../../removals/removals.ts';
import { changeUser } from '../../users/change-user.ts';
import { removeUser } from '../../users/remove-user.ts';
import type { UserJson } from './contract.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ned = { name: 'Ned New', email: 'ned@example.com', role: 'editor' };

onEachDatabase('the users of an account', (open) => {
  test('an invited user gets a link by mail, chooses a password and is signed in', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { status, json } = await admin.post('users', { ...ned, email: ' Ned@Example.com ' });
    assert.equal(status, 201);
    const message = await db.selectFrom('outbox').selectAll().executeTakeFirstOrThrow();
    assert.equal(message.to_email, 'Ned@Example.com');
    assert.match(message.subject, /^The admin has invited you to Account agency/);
    assert.ok(message.text.includes('The admin has invited you'));
    assert.match(message.reply_to!, /^user-/);
    assert.ok(message.text.includes(`${PUBLIC_URL}/reset-password#token=${TOKEN}`));
    const { users } = (await admin.get('users')).json;
    const listed = users.find(({ id }: UserJson) => id === json.id);
    assert.deepEqual(
      [listed.name, listed.role, listed.hasAccepted, listed.lastSeenAt],
      ['Ned New', 'editor', false, null],
    );

    const person = new Person(service);
    const accept = { token: message.secret, password: 'a password of his' };
    assert.deepEqual((await person.post('one-time-link', accept)).json.purpose, 'invitation');
    assert.equal((await person.post('reset-password', accept)).status, 200);
    assert.equal((await person.get('session')).json.user.name, 'Ned New');
    assert.equal(
      (await admin.post(`users/${json.id}/invite`)).json.error.code,
      'conflict',
      'the invitation was accepted',
    );
  });

  test('an invitation is valid for 7 days, and sending it again invalidates the first', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id } = (await admin.post('users', ned)).json;
    assert.equal((await admin.post(`users/${id}/invite`)).status, 204);
    const [first, second] = await db.selectFrom('outbox').select('secret').orderBy('id').execute();
    const statusOf = async (token: string | null) =>
      (await new Person(service).post('one-time-link', { token })).status;
    assert.equal(await statusOf(first!.secret), 404);
    t.mock.timers.setTime(start + 7 * DAY_MS - 1);
    assert.equal(await statusOf(second!.secret), 200);
    t.mock.timers.setTime(start + 7 * DAY_MS);
    assert.equal(await statusOf(second!.secret), 404);
  });

  test('an invalid invitation is refused with every wrong field, and no mail is sent', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const wrong = await admin.post('users', { name: ' ', email: 'ned', role: 'king' });
    assert.equal(wrong.status, 422);
    assert.deepEqual(wrong.json.error.fields, [
      { field: 'name', code: 'blank' },
      { field: 'email', code: 'not_a_mail_address' },
      { field: 'role', code: 'not_one_of', params: { values: ['accountant', 'viewer', 'editor', 'admin', 'owner'] } },
    ]);
    const taken = await admin.post('users', { ...ned, email: 'OLIVIA@example.com' });
    assert.deepEqual(taken.json.error.fields, [{ field: 'email', code: 'taken' }]);
    assert.deepEqual(await db.selectFrom('outbox').selectAll().execute(), []);
  });

  test('after 30 invitations, the next one of an account is refused', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const invite = async (number: number) =>
      (await admin.post('users', { ...ned, email: `ned${number}@example.com` })).status;
    for (let number = 0; number < 30; number++) assert.equal(await invite(number), 201);
    assert.equal(await invite(30), 429);
  });

  test('an address can be invited three times a day by one account, and ten times by all accounts', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id } = (await admin.post('users', ned)).json;
    const again = () => admin.post(`users/${id}/invite`);
    assert.deepEqual([(await again()).status, (await again()).status], [204, 204]);
    const refused = await again();
    assert.deepEqual([refused.status, refused.headers['retry-after']], [429, '86400']);
    assert.match(refused.json.error.message, /Try again in 24 hours/);
    await admin.delete(`users/${id}`);
    assert.equal(
      (await admin.post('users', { ...ned, email: 'NED@example.com' })).status,
      429,
      'the address is compared without case',
    );
    assert.equal((await admin.post('users', { ...ned, email: 'ted@example.com' })).status, 201);

    const statuses: number[] = [];
    for (let count = 0; count < 8; count++) {
      const other = await makeAccount(db, `other-${count}`);
      const owner = await signedInAs(service, db, other.accountId);
      statuses.push((await owner.post('users', ned)).status);
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 201, 201, 429]);
    t.mock.timers.setTime(start + DAY_MS);
    assert.equal((await admin.post('users', ned)).status, 201);
  });

  test('only owners can make owners, or change or remove them', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id } = await makeUser(db, accountId, { role: 'editor' });
    for (const reply of [
      await admin.post('users', { ...ned, role: 'owner' }),
      await admin.patch(`users/${id}`, { role: 'owner' }),
      await admin.patch(`users/${userId}`, { role: 'viewer' }),
      await admin.patch(`users/${userId}`, { name: 'Nobody' }),
      await admin.delete(`users/${userId}`),
    ]) {
      assert.deepEqual([reply.status, reply.json.error.code], [403, 'forbidden']);
    }
    const owner = new Person(service, await tokenFor(db, accountId, userId));
    assert.equal((await owner.patch(`users/${id}`, { role: 'owner' })).status, 204);
  });

  test('the last owner can be neither removed nor demoted', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const owner = new Person(service, await tokenFor(db, accountId, userId));
    for (const reply of [
      await owner.delete(`users/${userId}`),
      await owner.patch(`users/${userId}`, { role: 'admin' }),
    ]) {
      assert.equal(reply.status, 409);
      assert.deepEqual(reply.json.error.why.reason, 'last_owner');
    }
    const { id } = await makeUser(db, accountId, { role: 'owner' });
    const other = new Person(service, await tokenFor(db, accountId, id));
    const [one, two] = await Promise.all([owner.delete(`users/${id}`), other.delete(`users/${userId}`)]);
    const left = await db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'owner')
      .where('removed_at', 'is', null)
      .execute();
    assert.equal(left.length, 1, `${one.status} and ${two.status}`);
  });

  test('a removed user’s sessions and keys end at once, and their name stays on their pages', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id, email } = await makeUser(db, accountId, { role: 'editor', name: 'Eddy Editor' });
    const eddy = new Person(service, await tokenFor(db, accountId, id));
    const { key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, accountId, { userId: id, name: 'His', expiresAt: null }));
    await service.createPage(key, { name: 'By Eddy' });
    assert.equal((await admin.delete(`users/${id}`)).status, 204);
    assert.equal((await eddy.get('session')).status, 401);
    assert.equal((await service.get('/api/pages.json', key)).status, 401);
    assert.equal((await admin.delete(`users/${id}`)).status, 404);
    const { users } = (await admin.get('users')).json;
    assert.ok(!users.some((user: UserJson) => user.id === id));
    const page = await db
      .selectFrom('pages')
      .innerJoin('users', 'users.id', 'pages.created_by')
      .select('users.name')
      .executeTakeFirstOrThrow();
    assert.equal(page.name, 'Eddy Editor');
    assert.equal((await admin.post('users', { name: 'Eddy again', email, role: 'viewer' })).status, 201);
  });

  test('a restored user has the former role, second factor and keys, and must sign in again', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const admin = await signedInAs(service, db, accountId, 'admin');
    const { id, email } = await makeUser(db, accountId, { role: 'admin', name: 'Ada Admin' });
    const ada = new Person(service, await tokenFor(db, accountId, id));
    const issue = async (name: string) => (await ada.post('keys', { name })).json;
    const [valid, revoked] = [await issue('Valid'), await issue('Revoked')];
    await db.transaction().execute(async (trx) => {
      const row = { account_id: accountId, user_id: id };
      await trx
        .insertInto('second_factors')
        .values({ ...row, secret: 'A', confirmed_at: 1, created_at: 1 })
        .execute();
      await trx
        .insertInto('recovery_codes')
        .values({ ...row, hash: 'h' })
        .execute();
    });
    const before = await allOf(db, ['users', 'second_factors', 'recovery_codes']);
    await admin.delete(`keys/${revoked.id}`);
    assert.equal((await admin.delete(`users/${id}`)).status, 204);
    const signIn = () => new Person(service).post('sign-in', { email, password: PASSWORD });
    assert.equal((await signIn()).json.error.code, 'unauthorized');
    for (const key of [valid, revoked]) assert.equal((await admin.post(`keys/${key.id}/restore`)).status, 404);

    t.mock.timers.setTime(start + REMOVAL_RETENTION_MS - 1);
    assert.equal(await pruneRemovals(db), 0);
    assert.equal((await admin.post(`users/${id}/restore`)).status, 204);
    assert.deepEqual(await allOf(db, ['users', 'second_factors', 'recovery_codes']), before);
    assert.equal((await ada.get('session')).status, 401, 'sessions stay ended');
    assert.equal((await signIn()).json.error.code, 'second_factor');
    assert.equal((await service.get('/api/pages.json', valid.key)).status, 200);
    assert.equal((await service.get('/api/pages.json', revoked.key)).status, 401);
    assert.equal((await admin.post(`users/${id}/restore`)).status, 404, 'a user can be restored once');
    const { entries } = (await admin.get('log')).json;
    assert.deepEqual(entries[0].details, { name: 'Ada Admin', email, keysRestored: 1 });
  });

  test('a user cannot be restored after 10 minutes, if the address is taken, or without the permission', async (t) => {
    const start = Date.UTC(2030, 0, 1);
    t.mock.timers.enable({ apis: ['Date'], now: start });
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const removed = async (role: 'owner' | 'editor') => {
      const made = await makeUser(db, accountId, { role });
      await owner.delete(`users/${made.id}`);
      return made;
    };
    const { id: ownerId } = await removed('owner');
    const admin = await signedInAs(service, db, accountId, 'admin');
    assert.equal((await admin.post(`users/${ownerId}/restore`)).status, 403);
    assert.equal((await owner.post(`users/${ownerId}/restore`)).status, 204);

    const replaced = await removed('editor');
    await owner.post('users', { name: 'Ned New', email: replaced.email.toUpperCase(), role: 'editor' });
    const taken = await owner.post(`users/${replaced.id}/restore`);
    assert.deepEqual([taken.status, taken.json.error.why.reason], [409, 'mail_address_taken_since']);
    const { id } = await removed('editor');
    t.mock.timers.setTime(start + REMOVAL_RETENTION_MS);
    const late = await owner.post(`users/${id}/restore`);
    assert.deepEqual([late.status, late.json.error.why.reason], [409, 'removed_too_long_ago']);
    assert.equal(await pruneRemovals(db), 2);
    assert.equal((await owner.post(`users/${id}/restore`)).status, 404);
    assert.deepEqual(await allOf(db, ['removals']), [[]]);
  });

  test('demoting a user to editor revokes their keys, and demoting an owner to admin does not', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const { id } = await makeUser(db, accountId, { role: 'owner' });
    const { key } = await db
      .transaction()
      .execute((trx) => issueApiKey(trx, accountId, { userId: id, name: 'Theirs', expiresAt: null }));
    const statusAs = async (role: string) => {
      assert.equal((await owner.patch(`users/${id}`, { role })).status, 204);
      return (await service.get('/api/pages.json', key)).status;
    };
    const keyCount = async () =>
      (await owner.get('users')).json.users.find((user: UserJson) => user.id === id).keyCount;
    assert.equal(await statusAs('admin'), 200);
    assert.equal(await keyCount(), 1, 'the number of keys is known before the change');
    assert.equal(await statusAs('editor'), 401);
    assert.equal(await keyCount(), 0);
    assert.equal(await statusAs('admin'), 401, 'the former role alone restores no keys');
    assert.equal((await owner.patch(`users/${id}`, { role: 'admin', withKeys: true })).status, 204);
    assert.equal((await service.get('/api/pages.json', key)).status, 200, '`withKeys` restores the keys');
  });

  test('a new role applies to the next request, and a new name appears on the user’s pages', async (t) => {
    const { service, db, accountId, key } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const { id } = await makeUser(db, accountId, { role: 'viewer', name: 'Vera' });
    const vera = new Person(service, await tokenFor(db, accountId, id));
    assert.equal((await vera.get('users')).status, 403);
    assert.equal((await owner.patch(`users/${id}`, { role: 'admin' })).status, 204);
    assert.equal((await vera.get('users')).status, 200);

    await service.createPage(key, { name: 'Home' });
    const { users } = (await owner.get('users')).json;
    const olivia = users.find(({ name }: UserJson) => name === 'Olivia Owner');
    assert.equal((await service.pages(key))[0]!.created_by, 'Olivia Owner');
    await owner.patch(`users/${olivia.id}`, { name: 'Olivia Other' });
    assert.equal((await service.pages(key))[0]!.created_by, 'Olivia Other');
  });

  test('queuing mail wakes the outbox at once', async (t) => {
    let nudges = 0;
    const database = await open(t);
    const { db } = database;
    const { accountId } = await makeAccount(db);
    const service = await startService(t, database, {}, () => nudges++);
    const admin = await signedInAs(service, db, accountId, 'admin');
    await admin.post('users', ned);
    assert.equal(nudges, 1);
  });

  test('a request under way changes nothing if its user is removed, demoted or signed out meanwhile', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const ends: ((id: number, person: Person) => Promise<Reply>)[] = [
      (id) => owner.delete(`users/${id}`),
      (id) => owner.patch(`users/${id}`, { role: 'viewer' }),
      (_, person) => person.post('sign-out-everywhere'),
    ];
    const outcomes: unknown[] = [];
    for (const end of ends) {
      const { id } = await makeUser(db, accountId, { role: 'admin' });
      const person = new Person(service, await tokenFor(db, accountId, id));
      const finish = await sendHalf(service, db, { id, cookie: person.cookie, body: '{"name":"Spare"}' });
      assert.ok((await end(id, person)).status < 300);
      outcomes.push(await finish());
    }
    assert.deepEqual(outcomes, [401, 403, 401]);
    const keys = await db.selectFrom('api_keys').select('id').where('name', '=', 'Spare').execute();
    assert.deepEqual(keys, []);
  });

  test('a user who is being removed or demoted can neither issue a key nor undo the change meanwhile', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = { userId: (await makeUser(db, accountId)).id, role: 'owner' } as const;
    const made = async () => {
      const { id } = await makeUser(db, accountId, { role: 'admin' });
      return { id, person: new Person(service, await tokenFor(db, accountId, id)) };
    };
    const remove = (id: number) => async (trx: Trx) => {
      await removeUser(trx, accountId, { userId: id, by: owner });
      await revokeKeysOfUser(trx, accountId, { userId: id, by: owner });
    };
    const demote = (id: number) => async (trx: Trx) => {
      await changeUser(trx, accountId, id, { name: undefined, role: 'viewer' }, owner.role);
      await revokeKeysOfUser(trx, accountId, { userId: id, by: owner });
    };
    const issue = (person: Person) => person.post('keys', { name: 'Spare' });
    const undo = (person: Person, id: number) => person.post(`users/${id}/restore`);
    const promote = (person: Person, id: number) => person.patch(`users/${id}`, { role: 'admin', withKeys: true });
    for (const [end, attempt, status] of [
      [remove, issue, 401],
      [remove, undo, 401],
      [demote, issue, 403],
      [demote, promote, 403],
    ] as const) {
      const { id, person } = await made();
      const reply = await overlapping(db, end(id), () => attempt(person, id));
      assert.equal(reply.status, status, reply.text);
    }
    assert.deepEqual(await db.selectFrom('api_keys').select('id').where('name', '=', 'Spare').execute(), []);
  });
});

/** Returns all rows of the tables. */
function allOf(db: Db, tables: readonly ('users' | 'second_factors' | 'recovery_codes' | 'removals')[]) {
  return Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
}

/** Sends half of a request for an API key, and waits until it is authenticated. Returns a function that sends the rest. */
async function sendHalf(
  { port }: Service,
  db: Db,
  { id, cookie, body }: { id: number; cookie: string; body: string },
): Promise<() => Promise<number | undefined>> {
  const session = { last_seen_at: Date.now() - DAY_MS / 24 };
  await db.transaction().execute((trx) => trx.updateTable('sessions').set(session).where('user_id', '=', id).execute());
  const headers = {
    Host: 'localhost',
    Origin: 'http://localhost:8080',
    Cookie: cookie,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  };
  const sending = request({ port, host: '127.0.0.1', method: 'POST', path: '/admin/keys', headers });
  sending.write(body.slice(0, 5));
  // The use of the session is recorded once the request has been authenticated.
  const used = db.selectFrom('sessions').select('id').where('user_id', '=', id);
  while ((await used.where('last_seen_at', '>', session.last_seen_at).execute()).length === 0) await setImmediate();
  return async () => {
    sending.end(body.slice(5));
    const [response] = (await once(sending, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
}
