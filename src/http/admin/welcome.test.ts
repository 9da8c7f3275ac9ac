import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeUser, Person } from '../../../test/person.ts';
import { type Service, startWithAccount } from '../../../test/service.ts';
import type { Db } from '../../db/database.ts';
import { makeSignInLink } from '../../users/sign-in-link.ts';

const details = { name: ' Olive Bell ', email: ' olive@bakery.example ', password: 'copper lantern meadow' };

onEachDatabase('the welcome of users who signed in by a link of the operator', (open) => {
  test('a user without a password sets name, address and password, and can sign in with them', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signInByOperatorLink(service, db, accountId);
    const before = await versionOf(db, accountId);
    const { status, headers } = await owner.post('welcome', details);
    assert.equal(status, 204);
    assert.ok(headers['set-cookie'], 'a new session is started');
    const { user } = (await owner.get('session')).json;
    assert.deepEqual([user.name, user.email, user.hasPassword], ['Olive Bell', 'olive@bakery.example', true]);
    assert.ok((await versionOf(db, accountId)) > before, 'cached lists with the name of the user become invalid');
    const { email, password } = details;
    assert.deepEqual((await new Person(service).post('sign-in', { email, password })).json, { signedIn: true });
    const { details: recorded } = await db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'user.completed')
      .executeTakeFirstOrThrow();
    assert.deepEqual(JSON.parse(recorded), { name: 'Olive Bell', email: 'olive@bakery.example' });
  });

  test('setting the first password ends all other sessions of the user', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signInByOperatorLink(service, db, accountId);
    const elsewhere = new Person(service, owner.cookie.split('=')[1]);
    assert.equal((await elsewhere.get('session')).status, 200);
    assert.equal((await owner.post('welcome', details)).status, 204);
    assert.deepEqual([(await elsewhere.get('session')).status, (await owner.get('session')).status], [401, 200]);
  });

  test('invalid details on the welcome page are refused, naming every wrong field; the session stays', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signInByOperatorLink(service, db, accountId);
    const { status, json } = await owner.post('welcome', { name: ' ', email: 'nobody', password: 'short' });
    assert.deepEqual(
      [status, ...json.error.fields.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)],
      [422, 'password too_short', 'name blank', 'email not_a_mail_address'],
    );
    await makeUser(db, accountId, { email: 'olive@bakery.example' });
    const reply = await owner.post('welcome', details);
    assert.deepEqual([reply.status, reply.json.error.fields], [422, [{ field: 'email', code: 'taken' }]]);
    assert.equal((await owner.get('session')).json.user.hasPassword, false);
  });

  test('the welcome is refused for a user who has a password already', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signInByOperatorLink(service, db, accountId);
    assert.equal((await owner.post('welcome', details)).status, 204);
    const again = await owner.post('welcome', { ...details, email: 'other@example.com' });
    assert.deepEqual([again.status, again.json.error.code], [409, 'conflict']);
    assert.equal((await owner.get('session')).json.user.email, 'olive@bakery.example');
  });
});

async function signInByOperatorLink(service: Service, db: Db, accountId: number): Promise<Person> {
  const { id } = await makeUser(db, accountId, { email: 'owner@localhost' });
  await db
    .transaction()
    .execute((trx) => trx.updateTable('users').set({ password_hash: null }).where('id', '=', id).execute());
  const link = await db.transaction().execute((trx) => makeSignInLink(trx, accountId, id, 'http://localhost:8080'));
  const person = new Person(service);
  assert.equal((await person.post('sign-in-link', { token: link.split('=')[1] })).status, 200);
  return person;
}

async function versionOf(db: Db, accountId: number): Promise<number> {
  const accounts = db.selectFrom('accounts').select('content_version').where('id', '=', accountId);
  return (await accounts.executeTakeFirstOrThrow()).content_version;
}
