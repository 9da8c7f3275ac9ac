import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { actor, makeCustomer } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';
import { issueKey } from '../../membership/issue-key.ts';

const done = { response: true, errors: [] };
const missing = { response: false, errors: 'The user does not exist.' };

interface User {
  id: string;
  name: string;
  email: string;
  role: string;
  has_password: boolean;
}

onEachDatabase('users over the API', (open) => {
  test('a user can be invited, changed, removed and restored', async (t) => {
    const { db, invite, send, list } = await setUp(t, open);
    const invited = await invite({ name: 'Ben Miller', email: 'ben@example.com', role: 'editor' });
    assert.deepEqual([invited.status, invited.json.response], [200, true]);
    const { id } = invited.json;
    const [, ben] = await list();
    assert.deepEqual(
      [ben!.id, ben!.name, ben!.email, ben!.role, ben!.has_password],
      [id, 'Ben Miller', 'ben@example.com', 'editor', false],
    );
    assert.deepEqual(await mailTo(db), ['ben@example.com']);
    assert.deepEqual((await send('POST', `/${id}/invite.json`)).json, done);
    assert.deepEqual(await mailTo(db), ['ben@example.com', 'ben@example.com']);

    assert.deepEqual((await send('PATCH', `/${id}.json?user[name]=Benno&user[role]=viewer`)).json, done);
    const [, changed] = await list();
    assert.deepEqual([changed!.name, changed!.role], ['Benno', 'viewer']);
    assert.deepEqual((await send('DELETE', `/${id}.json`)).json, done);
    assert.equal((await list()).length, 1);
    assert.deepEqual((await send('POST', `/${id}/restore.json`)).json, done);
    assert.equal((await list()).length, 2);
  });

  test('invalid users and the removal of the last owner are refused, and nothing is changed', async (t) => {
    const { invite, send, list } = await setUp(t, open);
    for (const [fields, errors] of [
      [{ name: '', email: 'ben@example.com', role: 'editor' }, [['name', "can't be blank"]]],
      [{ name: 'Ben', email: 'ben', role: 'editor' }, [['email', 'is not a mail address']]],
      [{ name: 'Ben', email: 'b\0en@example.com', role: 'editor' }, [['email', 'is not a mail address']]],
      [
        { name: 'Ben', email: 'ben@example.com', role: 'king' },
        [['role', 'is not one of accountant, viewer, editor, admin, owner']],
      ],
      [{ name: 'Ben', email: 'olivia@example.com', role: 'editor' }, [['email', 'has already been taken']]],
    ] as const) {
      const { status, json } = await invite(fields);
      assert.deepEqual([status, json], [422, { response: false, errors }]);
    }
    const [olivia] = await list();
    const last = await send('DELETE', `/${olivia!.id}.json`);
    assert.deepEqual(
      [last.status, last.json.errors],
      [422, 'Olivia Owner is the last owner. Make somebody else an owner first.'],
    );
    for (const [method, path] of [
      ['PATCH', '/user_999999.json?user[name]=A'],
      ['DELETE', '/user_999999.json'],
      ['POST', '/user_999999/invite.json'],
      ['DELETE', '/page_1.json'],
    ] as const) {
      const { status, json } = await send(method, path);
      assert.deepEqual([status, json], [404, missing], `${method} ${path}`);
    }
    assert.equal((await list()).length, 1);
  });

  test("a key has the permissions of its user: an admin's key cannot make or remove owners", async (t) => {
    const { db, service, accountId, invite, list } = await setUp(t, open);
    const { id } = (await invite({ name: 'Ada', email: 'ada@example.com', role: 'admin' })).json;
    const userId = Number(id.slice('user_'.length));
    const { key } = await db
      .transaction()
      .execute((trx) => issueKey(trx, accountId, { userId, name: 'Ada', expiresAt: null }, actor(userId)));
    const [olivia] = await list();
    for (const [method, path] of [
      ['PATCH', `/api/users/${id}.json?api_key=${key}&user%5Brole%5D=owner`],
      ['DELETE', `/api/users/${olivia!.id}.json?api_key=${key}`],
    ] as const) {
      const { status, json } = await service.request(method, path);
      assert.deepEqual([status, json.errors], [403, 'Only an owner can add, change or remove owners.'], method);
    }
  });

  test('a key with scopes cannot add, change or remove owners and admins', async (t) => {
    const { db, service, accountId, userId, invite, send, list } = await setUp(t, open);
    const { key } = await db
      .transaction()
      .execute((trx) =>
        issueKey(trx, accountId, { userId, name: 'Limited', expiresAt: null, scopes: ['users:write'] }, actor(userId)),
      );
    const admin = (await invite({ name: 'Ada', email: 'ada@example.com', role: 'admin' })).json.id;
    const editor = (await invite({ name: 'Ed', email: 'ed@example.com', role: 'editor' })).json.id;
    const removed = (await invite({ name: 'Rea', email: 'rea@example.com', role: 'admin' })).json.id;
    await send('DELETE', `/${removed}.json`);
    const before = await list();
    const inviting = new URLSearchParams({ 'user[name]': 'M', 'user[email]': 'm@example.com', 'user[role]': 'owner' });
    for (const [method, path] of [
      ['POST', `.json?${inviting}`],
      ['PATCH', `/${editor}.json?user%5Brole%5D=admin`],
      ['PATCH', `/${admin}.json?user%5Brole%5D=viewer`],
      ['DELETE', `/${admin}.json`],
      ['POST', `/${admin}/invite.json`],
      ['POST', `/${removed}/restore.json`],
    ] as const) {
      const { status, json } = await service.request(method, `/api/users${path}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      assert.deepEqual(
        [path, status, json.errors],
        [path, 403, 'A key with scopes cannot add, change or remove owners or admins.'],
      );
    }
    assert.deepEqual(await list(), before);
    const allowed = await service.request('PATCH', `/api/users/${editor}.json?api_key=${key}&user%5Brole%5D=viewer`);
    assert.equal(allowed.status, 200);
  });

  test("another account's users are not found, not even a customer's by the agency's key for it", async (t) => {
    const { db, service, accountId, key, send } = await setUp(t, open);
    const customer = await makeCustomer(db, accountId);
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', customer)
      .executeTakeFirstOrThrow();
    assert.deepEqual((await send('DELETE', `/user_${id}.json`)).json, missing);
    const fields = { 'key[name]': 'Agency', 'key[account_id]': `account_${customer}` };
    const issued = (await service.post('/api/keys.json', key, fields)).json.key;
    for (const [method, path] of [
      ['GET', '/api/users.json'],
      ['DELETE', `/api/users/user_${id}.json`],
    ] as const) {
      assert.equal((await service.request(method, `${path}?api_key=${issued}`)).status, 403, method);
    }
  });
});

async function mailTo(db: TestDatabase['db']): Promise<string[]> {
  const rows = await db.selectFrom('outbox').select('to_email').orderBy('id').execute();
  return rows.map(({ to_email }) => to_email);
}

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, key } = started;
  const send = (method: string, path: string) =>
    service.request(method, `/api/users${path}`.replaceAll('[', '%5B').replaceAll(']', '%5D'), {
      headers: { Authorization: `Bearer ${key}` },
    });
  const list = async (): Promise<User[]> => (await service.get('/api/users.json', key)).json.users;
  const invite = ({ name, email, role }: Pick<User, 'name' | 'email' | 'role'>) =>
    service.post('/api/users.json', key, { 'user[name]': name, 'user[email]': email, 'user[role]': role });
  return { ...started, send, list, invite };
}
