import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { runCli } from '../../../test/cli.ts';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { actor, makeCustomer } from '../../../test/factories.ts';
import { makeUser, signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { changeAgencyAccess } from '../../impersonations/agency-access.ts';
import { issueKey } from '../../membership/issue-key.ts';
import type { ApiKeyJson } from '../admin/contract.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
const missing = { response: false, errors: 'The API key does not exist.' };

onEachDatabase('keys over the API', (open) => {
  test('a key can be issued, listed without its secret, rotated and revoked', async (t) => {
    const { service, accountId, send, list } = await setUp(t, open);
    const issued = await send('POST', '.json', 'key[name]=Shop&key[scopes]=pages:write+images:read');
    assert.deepEqual([issued.status, issued.json.response, issued.json.errors], [200, true, []]);
    const { keys, next } = await list();
    const { id, last4, user, scopes, account_id, expires_at, revoked_at } = keys[0];
    assert.deepEqual(
      { id, last4, user, scopes, account_id, expires_at, revoked_at, next },
      {
        id: issued.json.id,
        last4: issued.json.key.slice(-4),
        user: 'Olivia Owner',
        scopes: ['pages:write', 'images:read'],
        account_id: `account_${accountId}`,
        expires_at: null,
        revoked_at: null,
        next: null,
      },
    );
    assert.ok(!JSON.stringify(keys).includes(issued.json.key));
    assert.equal((await service.post('/api/pages.json', issued.json.key, { 'page[name]': 'One' })).status, 200);
    assert.equal((await service.get('/api/customers.json', issued.json.key)).status, 403);

    for (const hours of ['-1', '2161', '1.5', 'x']) {
      const reply = await send('POST', `/${id}/rotate.json`, `key[overlap_hours]=${hours}`);
      assert.deepEqual(reply.json.errors, [['overlap_hours', 'must be a whole number from 0 to 2160']], hours);
    }
    const rotated = (await send('POST', `/${id}/rotate.json`, 'key[overlap_hours]=0')).json;
    assert.equal((await service.get('/api/pages.json', rotated.key)).status, 200);
    assert.equal((await service.get('/api/pages.json', issued.json.key)).status, 401);
    assert.deepEqual((await send('DELETE', `/${rotated.id}.json`)).json, { response: true, errors: [] });
    assert.equal((await service.get('/api/pages.json', rotated.key)).status, 401);
    assert.deepEqual((await send('DELETE', '/key_999999.json')).json, missing);

    const first = await list('?limit=1');
    assert.deepEqual([first.keys.length, first.next], [1, rotated.id]);
    assert.equal((await list(`?before=${first.next}`)).keys[0].id, id);
    for (const query of ['?limit=0', '?limit=501', '?before=page_1', '?before=1&before=2']) {
      assert.equal((await send('GET', `.json${query}`)).status, 400, query);
    }
  });

  test('a retried request issues no second key, and the first key is not stored', async (t) => {
    const { db, send, list } = await setUp(t, open);
    const again = { 'Idempotency-Key': 'once' };
    const [first, second] = [
      await send('POST', '.json', 'key[name]=Shop', again),
      await send('POST', '.json', 'key[name]=Shop', again),
    ];
    assert.match(first.json.key, /^fh_/);
    assert.deepEqual(second.json, { ...first.json, key: null });
    assert.equal((await list()).keys.length, 2);
    const stored = await db.selectFrom('idempotency').select('answer').execute();
    assert.ok(stored.length === 1 && !stored[0]!.answer.includes(first.json.key));
  });

  test('invalid fields of a new key are refused, and no key is issued', async (t) => {
    const { send, list } = await setUp(t, open);
    for (const [body, errors] of [
      ['key[name]=', [['name', "can't be blank"]]],
      ['key[name]=A&key[expires_at]=2099-12-31', [['expires_at', 'is not a time like 2099-12-31T23:59:59Z']]],
      ['key[name]=A&key[expires_at]=2020-01-01T00:00:00Z', [['expires_at', 'is in the past']]],
      ['key[name]=A&key[account_id]=account_999999', [['account_id', 'does not exist']]],
      ['key[name]=A&key[account_id]=page_1', [['account_id', 'does not exist']]],
    ] as const) {
      const { status, json } = await send('POST', '.json', body);
      assert.deepEqual([status, json], [422, { response: false, errors }], body);
    }
    const unknown = await send('POST', '.json', 'key[name]=A&key[scopes]=pages:all');
    assert.match(unknown.json.errors[0][1], /^is not one of pages:read, /);
    assert.equal((await list()).keys.length, 1);
  });

  test('a key with scopes cannot issue or rotate keys with more permissions', async (t) => {
    const { db, service, key, accountId, userId, list } = await setUp(t, open);
    const limited = (await issue({ name: 'Limited', scopes: ['pages:read', 'keys:write'] })).key;
    const ask = (path: string, fields: Record<string, string>) => service.post(path, limited, fields);
    for (const scopes of ['pages:write', 'keys:write revenue:read']) {
      const { status, json } = await ask('/api/keys.json', { 'key[name]': 'More', 'key[scopes]': scopes });
      assert.deepEqual(
        [status, json.errors],
        [422, [['scopes', 'is not one of pages:read, keys:read, keys:write']]],
        scopes,
      );
    }
    const own = (await list()).keys.find(({ last4 }: { last4: string }) => last4 === key.slice(-4));
    const rotated = await ask(`/api/keys/${own.id}/rotate.json`, { 'key[overlap_hours]': '1' });
    assert.deepEqual(
      [rotated.status, rotated.json.errors],
      [403, 'Your API key has fewer scopes than the key that you want to change.'],
    );
    const same = await ask('/api/keys.json', { 'key[name]': 'Same' });
    assert.equal(same.status, 200);
    assert.deepEqual((await list()).keys[0].scopes, ['pages:read', 'keys:write']);

    function issue(input: { name: string; scopes: string[] }) {
      return db
        .transaction()
        .execute((trx) => issueKey(trx, accountId, { ...input, userId, expiresAt: null }, actor(userId)));
    }
  });

  test('a key cannot revoke keys with more permissions, or issue or rotate to keys that expire later', async (t) => {
    const { db, service, accountId, userId, list } = await setUp(t, open);
    const expiresAt = Date.now() + 3_600_000;
    const input = { userId, name: 'Limited', expiresAt, scopes: ['keys:write'] };
    const limited = await db.transaction().execute((trx) => issueKey(trx, accountId, input, actor(userId)));
    const ask = (method: string, path: string) =>
      service.request(method, `/api/keys${path}`, { headers: { Authorization: `Bearer ${limited.key}` } });
    const full = (await list()).keys.at(-1);
    const revoked = await ask('DELETE', `/${full.id}.json`);
    assert.deepEqual(
      [revoked.status, revoked.json.errors],
      [403, 'Your API key has fewer scopes than the key that you want to change.'],
    );
    await ask('POST', '.json?key%5Bname%5D=Child');
    await ask('POST', '.json?key%5Bname%5D=Later&key%5Bexpires_at%5D=2199-01-01T00:00:00Z');
    await ask('POST', `/key_${limited.id}/rotate.json`);
    const ends = (await list()).keys.slice(0, 3).map((key: { expires_at: string }) => Date.parse(key.expires_at));
    assert.deepEqual(ends, [expiresAt, expiresAt, expiresAt]);
    assert.equal((await ask('DELETE', `/key_${limited.id}.json`)).status, 200);
  });

  test('with_issued revokes a key and every key issued with it, also in customers’ accounts', async (t) => {
    const { db, service, database, key, accountId, customer, ownerId, send, list } = await setUpCustomer(t, open);
    const admin = await signedInAs(service, db, accountId);
    const others = [key, (await admin.post('keys', { name: 'Other' })).json.key];
    const leaked = (await send('POST', '.json', 'key[name]=Leaked')).json;
    const issue = async (by: string, fields: Record<string, string> = {}) =>
      (await service.post('/api/keys.json', by, { 'key[name]': 'Child', ...fields })).json;
    const child = await issue(leaked.key);
    const rotated = (await service.post(`/api/keys/${child.id}/rotate.json`, child.key, {})).json;
    const grandchild = await issue(rotated.key);
    const ofCustomer = await issue(grandchild.key, { 'key[account_id]': `account_${customer}` });
    const next = (await service.post(`/api/keys/${ofCustomer.id}/rotate.json`, leaked.key, {})).json;
    const theirs = await db
      .transaction()
      .execute((trx) => issueKey(trx, customer, { userId: ownerId, name: 'Own', expiresAt: null }, actor(ownerId)));
    const issued = [child, rotated, grandchild, ofCustomer, next];
    const statuses = (keys: readonly string[]) =>
      Promise.all(keys.map(async (one) => (await service.get('/api/pages.json', one)).status));
    const all = [leaked.key, ...issued.map((one) => one.key)];
    assert.deepEqual(
      await statuses(all),
      all.map(() => 200),
    );
    const issuers = Object.fromEntries(
      (await list()).keys.map(({ id, issued_by }: { id: string; issued_by: string | null }) => [id, issued_by]),
    );
    assert.deepEqual(
      issued.map(({ id }) => issuers[id]),
      [leaked.id, child.id, rotated.id, grandchild.id, leaked.id],
    );
    const shown = (await admin.get('keys')).json.keys.find(({ id }: ApiKeyJson) => `key_${id}` === leaked.id);
    assert.equal(shown.issuedKeys, 2);
    const inCustomer = await signedInAs(service, db, customer);
    const [last]: ApiKeyJson[] = (await inCustomer.get('keys')).json.keys.filter(
      ({ name }: ApiKeyJson) => name === 'Child',
    );
    assert.equal(last!.issuerName, null, "a customer is not shown the names of its agency's keys");

    assert.deepEqual((await send('DELETE', `/${leaked.id}.json?key%5Bwith_issued%5D=perhaps`)).json.errors, [
      ['with_issued', 'is not true or false'],
    ]);
    assert.equal((await send('DELETE', `/${leaked.id}.json`)).status, 200);
    assert.deepEqual(await statuses(all), [401, 200, 200, 200, 200, 200], 'only the key that is named');
    assert.equal((await send('DELETE', `/${leaked.id}.json?key%5Bwith_issued%5D=1`)).status, 200);
    assert.deepEqual(
      await statuses(all),
      all.map(() => 401),
    );
    assert.deepEqual(await statuses([...others, theirs.key]), [200, 200, 200]);
    const restored = await admin.post(`keys/${child.id.slice(4)}/restore`);
    assert.equal(restored.status, 404);
    const revoked = (of: number) =>
      db
        .selectFrom('audit_log')
        .select(['action', 'subject'])
        .where('account_id', '=', of)
        .where('action', 'like', '%key%revoked')
        .orderBy('id')
        .execute()
        .then((events) => events.map(({ action, subject }) => `${action} ${subject}`));
    const inBoth = `customer.key_revoked customer_${customer}`;
    const own = [leaked, child, rotated, grandchild].map(({ id }) => `key.revoked ${id}`);
    assert.deepEqual((await revoked(accountId)).toSorted(), [...own, inBoth, inBoth].toSorted());
    assert.deepEqual(
      await revoked(customer),
      [ofCustomer, next].map(({ id }) => `key.revoked ${id}`),
    );

    const second = await issue(key);
    const below = await issue(second.key);
    const revokeAll = () => runCli(database.config, 'key', 'revoke', second.id, '--with-issued');
    const { code, out, error } = await revokeAll();
    assert.equal(code, 0, error);
    assert.equal(out, `${second.id} is revoked. The keys issued with it are revoked, too: ${below.id}.\n`);
    assert.equal((await revokeAll()).out, `${second.id} is revoked. No other working key was issued with it.\n`);
    assert.deepEqual(await statuses([second.key, below.key, key]), [401, 401, 200]);
    const third = await issue(key);
    const shownKey = (await admin.get('keys')).json.keys.find((one: ApiKeyJson) => one.issuedKeys === 1);
    assert.equal((await admin.post(`keys/${shownKey.id}/revoke-with-issued`)).status, 204);
    assert.deepEqual(await statuses([third.key, key]), [401, 401]);
  });

  test("a customer's key that an agency's user has rotated ends with that user, and has the same limits", async (t) => {
    const { db, service, accountId, customer, ownerId, issueFor, list } = await setUpCustomer(t, open);
    const { id } = (await issueFor()).json;
    const ben = await makeUser(db, accountId, { role: 'admin' });
    const own = await db
      .transaction()
      .execute((trx) => issueKey(trx, accountId, { userId: ben.id, name: 'Ben', expiresAt: null }, actor(ben.id)));
    const rotate = (key: string) => service.post(`/api/keys/${key}/rotate.json`, own.key, {});
    const next = (await rotate(id)).json;
    const works = async () => (await service.get('/api/pages.json', next.key)).status === 200;
    assert.ok(await works());
    assert.match((await list()).keys.find((key: { id: string }) => key.id === next.id).user, /^(?!Olivia)/);
    await db
      .transaction()
      .execute((trx) => trx.updateTable('users').set({ removed_at: 1 }).where('id', '=', ben.id).execute());
    assert.ok(!(await works()));
    await db
      .transaction()
      .execute((trx) => trx.updateTable('users').set({ removed_at: null }).where('id', '=', ben.id).execute());
    await db.transaction().execute((trx) => changeAgencyAccess(trx, customer, { isAllowed: false }, actor(ownerId)));
    assert.equal((await rotate(next.id)).status, 422);
  });

  test("an agency can issue a key for a customer: pages get the owner's name, and both accounts log it", async (t) => {
    const { db, service, accountId, customer, issueFor, list } = await setUpCustomer(t, open);
    const issued = (await issueFor()).json;
    assert.equal((await service.post('/api/pages.json', issued.key, { 'page[name]': 'By program' })).status, 200);
    const [page] = await service.pages(issued.key);
    assert.deepEqual([page!.name, page!.created_by], ['By program', 'Carl Customer']);
    const { keys } = await list();
    const shown = keys.find(({ id }: { id: string }) => id === issued.id);
    assert.deepEqual([shown.account_id, shown.user], [`account_${customer}`, await agentOf(db, accountId)]);
    assert.ok(!shown.scopes.includes('keys:write') && shown.scopes.includes('pages:write'));
    for (const list of ['keys', 'users', 'events', 'customers', 'account']) {
      assert.equal((await service.get(`/api/${list}.json`, issued.key)).status, 403, list);
    }
    assert.equal((await service.post('/api/keys.json', issued.key, { 'key[name]': 'Own' })).status, 403);

    const events = await db.selectFrom('audit_log').select(['account_id', 'action', 'actor', 'subject']).execute();
    const about = (account: number) => events.filter((event) => event.account_id === account);
    const agent = await agentOf(db, accountId);
    assert.ok(about(accountId).some(({ action, subject }) => `${action} ${subject}` === issuedFor(customer)));
    assert.ok(about(customer).some(({ action, actor: by }) => action === 'key.issued' && by === agent));
    const as = `${agent} as Carl Customer`;
    assert.ok(about(customer).some(({ action, actor: by }) => action === 'page.created' && by === as));
  });

  test("an agency's key for a customer works only while the customer allows access", async (t) => {
    const { db, service, customer, customerName, ownerId, issueFor } = await setUpCustomer(t, open);
    const { key } = (await issueFor()).json;
    const allow = (isAllowed: boolean) =>
      db.transaction().execute((trx) => changeAgencyAccess(trx, customer, { isAllowed }, actor(ownerId)));
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
    await allow(false);
    assert.equal((await service.get('/api/pages.json', key)).status, 401);
    const refused = await issueFor();
    assert.deepEqual(
      [refused.status, refused.json.errors],
      [422, `${customerName} does not allow its agency to act in its account.`],
    );
    await allow(true);
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
    assert.equal((await issueFor()).status, 200);
  });

  test("an agency's key for a customer works only while its user may issue keys and the agency is active", async (t) => {
    const { db, service, accountId, userId, issueFor } = await setUpCustomer(t, open);
    const { key } = (await issueFor()).json;
    const works = async () => (await service.get('/api/pages.json', key)).status === 200;
    const set = (values: object) =>
      db.transaction().execute((trx) => trx.updateTable('users').set(values).where('id', '=', userId).execute());
    const suspend = (status: 'active' | 'suspended') =>
      db
        .transaction()
        .execute((trx) => trx.updateTable('accounts').set({ status }).where('id', '=', accountId).execute());
    assert.ok(await works());
    for (const [lost, back] of [
      [{ removed_at: Date.now() }, { removed_at: null }],
      [{ role: 'editor' }, { role: 'owner' }],
    ] as const) {
      await set(lost);
      assert.ok(!(await works()), JSON.stringify(lost));
      const page = await service.post('/api/pages.json', key, { 'page[name]': 'Late' });
      assert.equal(page.status, 401);
      await set(back);
      assert.ok(await works());
    }
    await suspend('suspended');
    assert.ok(!(await works()));
    await suspend('active');
    assert.ok(await works());
  });

  test('an agency can rotate and revoke only those keys of its customer that were issued to it', async (t) => {
    const { db, service, customer, ownerId, issueFor, send, list } = await setUpCustomer(t, open);
    const issued = (await issueFor()).json;
    const theirs = await db
      .transaction()
      .execute((trx) => issueKey(trx, customer, { userId: ownerId, name: 'Own', expiresAt: null }, actor(ownerId)));
    for (const [method, path] of [
      ['DELETE', `/key_${theirs.id}.json`],
      ['POST', `/key_${theirs.id}/rotate.json`],
    ] as const) {
      assert.deepEqual((await send(method, path)).json, missing);
    }
    assert.ok(!(await list()).keys.some(({ id }: { id: string }) => id === `key_${theirs.id}`));
    const next = (await send('POST', `/${issued.id}/rotate.json`, 'key[overlap_hours]=0')).json;
    assert.equal((await service.get('/api/pages.json', next.key)).status, 200);
    assert.equal((await service.get('/api/pages.json', issued.key)).status, 401);
    assert.equal((await send('DELETE', `/${next.id}.json`)).status, 200);
    assert.equal((await service.get('/api/pages.json', next.key)).status, 401);
    assert.equal((await service.get('/api/pages.json', theirs.key)).status, 200);
  });
});

const issuedFor = (customer: number) => `customer.key_issued customer_${customer}`;

async function agentOf(db: TestDatabase['db'], agencyId: number) {
  const agency = await db.selectFrom('accounts').select('name').where('id', '=', agencyId).executeTakeFirstOrThrow();
  return `Olivia Owner (${agency.name})`;
}

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await startWithAccount(t, open);
  const { service, key } = started;
  const send = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    service.request(method, `/api/keys${path}`, {
      headers: { Authorization: `Bearer ${key}`, ...(body !== undefined && form), ...headers },
      ...(body !== undefined && { body }),
    });
  const list = async (query = '') => (await send('GET', `.json${query}`)).json;
  return { ...started, send, list };
}

async function setUpCustomer(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const started = await setUp(t, open);
  const { db, accountId, send } = started;
  const customer = await makeCustomer(db, accountId);
  const { name: customerName } = await db
    .selectFrom('accounts')
    .select('name')
    .where('id', '=', customer)
    .executeTakeFirstOrThrow();
  const { id: ownerId } = await db
    .selectFrom('users')
    .select('id')
    .where('account_id', '=', customer)
    .executeTakeFirstOrThrow();
  const issueFor = () => send('POST', '.json', `key[name]=Agency&key[account_id]=account_${customer}`);
  return { ...started, customer, customerName, ownerId, issueFor };
}
