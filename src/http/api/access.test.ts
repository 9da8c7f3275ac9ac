import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer, makePage } from '../../../test/factories.ts';
import { customerFields, Reply, type Service, startWithAccount } from '../../../test/service.ts';
import { restoreCustomer, suspendCustomer } from '../../accounts/change-customer.ts';
import { newApiKey } from '../../api-keys/api-key.ts';
import { issueApiKey } from '../../api-keys/issue-api-key.ts';
import { revokeApiKey } from '../../api-keys/revoke-api-key.ts';
import { rotateApiKey } from '../../api-keys/rotate-api-key.ts';
import { scopes } from '../../api-keys/scopes.ts';
import { operator } from '../../audit/record-audit-event.ts';
import type { Db, Trx } from '../../db/database.ts';
import { ValidationError } from '../../errors.ts';
import { request as httpRequest } from '../node-http.ts';
import { operations as allOperations } from './operations.ts';

const operations: ReadonlyArray<readonly [method: string, path: string]> = [
  ['POST', '/api/customers.json'],
  ['POST', '/api/pages.json'],
  ['GET', '/api/pages.json'],
  ['GET', '/api/account.json'],
];
const invalidKey = [401, { response: false, errors: 'Invalid API key.' }];
const suspended = [403, { response: false, errors: 'Account suspended.' }];

onEachDatabase('access', (open) => {
  test('a key with scopes may call the operations of its scopes, and no others', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    for (const scope of scopes) {
      const { key } = await db
        .transaction()
        .execute((trx) => issueApiKey(trx, accountId, { userId, name: scope, expiresAt: null, scopes: [scope] }));
      for (const { method, path, id, scope: needed } of allOperations) {
        const reply = await service.request(method, `${path.replace('{id}', '999999')}?api_key=${key}`);
        const isOfPlans = needed === 'plans:read' && scope.startsWith('customers:');
        const isIncluded = scope === needed || scope.replace(':write', ':read') === needed || isOfPlans;
        assert.equal(reply.status !== 403, isIncluded, `${id} with ${scope}: ${reply.status}`);
        if (reply.status !== 403) continue;
        const errors = `This API key is not allowed to do this. It needs the scope ${needed}.`;
        assert.deepEqual(reply.json, { response: false, errors });
      }
    }
  });

  test('a rotated key keeps its scopes, and unknown or empty scopes are refused', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const issue = (scopes: string[]) =>
      db
        .transaction()
        .execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Reader', expiresAt: null, scopes }));
    await assert.rejects(issue([]), { fields: [{ field: 'scopes', code: 'blank' }] });
    await assert.rejects(issue(['pages:read', 'pages']), ValidationError);
    const { id } = await issue(['pages:read']);
    const { key } = await db
      .transaction()
      .execute((trx) => rotateApiKey(trx, accountId, id, { userId, overlap: 0, lifetime: undefined }));
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
    assert.equal((await service.get('/api/account.json', key)).status, 403);
  });

  test('a request whose API key is missing, unknown, malformed, revoked or expired is answered with 401', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const revoked = await issueKey(db, accountId, userId);
    await db.transaction().execute((trx) => revokeApiKey(trx, accountId, { keyId: revoked.id, userId: null }));
    const expired = await issueKey(db, accountId, userId, Date.now() - 1);
    const later = await issueKey(db, accountId, userId, Date.now() + 60_000);
    const queries = [
      '',
      '?',
      '?api_key',
      '?api_key=',
      `?api_key=${newApiKey()}`,
      `?api_key=${key.slice(0, -1)}`,
      `?api_key=${key}x`,
      `?api_key=${key.toLowerCase()}`,
      `?api_key=+${key}`,
      `?api_key=%zz`,
      `?api_key=${'%41'.repeat(10_000)}`,
      `?${'%61'.repeat(10_000)}=${key}`,
      `?api_key[]=${key}`,
      `?API_KEY=${key}`,
      `?apikey=${key}`,
      `?key=${key}`,
      `?api_key=${revoked.key}`,
      `?api_key=${expired.key}`,
      "?api_key=' or '1'='1".replaceAll(' ', '%20'),
    ];
    for (const [method, path] of operations) {
      for (const query of queries) {
        const reply = await service.request(method, `${path}${query}`);
        assert.deepEqual(reply.outcome, invalidKey, `${method} ${path}${query}`);
        assert.match(reply.headers['www-authenticate']!, /^Bearer /);
        assert.equal(reply.headers['cache-control'], 'private, no-cache');
      }
      for (const good of [key, later.key]) {
        const reply = await service.request(method, `${path}?api_key=${good}`);
        assert.notEqual(reply.status, 401);
      }
    }
  });

  test('a query of nothing but invalid encodings is refused without decoding each of them', async (t) => {
    const { service } = await startWithAccount(t, open);
    // An exception for each invalid encoding would take seconds.
    const decode = t.mock.method(globalThis, 'decodeURIComponent');
    for (const pair of ['%=&', '%FF=&', 'api_key=%&', '%61pi_key=%ff&']) {
      const reply = await service.request('POST', `/api/pages.json?${pair.repeat(1_000_000 / pair.length)}`);
      assert.deepEqual(reply.outcome, invalidKey, pair);
    }
    assert.equal(decode.mock.callCount(), 0);
  });

  test('a revoked key is refused at once', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const { id, key } = await issueKey(db, accountId, userId);
    assert.equal((await service.get('/api/pages.json', key)).status, 200);
    await db.transaction().execute((trx) => revokeApiKey(trx, accountId, { keyId: id, userId: null }));
    assert.deepEqual((await service.get('/api/pages.json', key)).outcome, invalidKey);
  });

  test('the key may be anywhere in the query, percent-encoded, and repeated if it is the same', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const encoded = [...key].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');
    for (const query of [
      `api_key=${key}&`,
      `&&api_key=${key}`,
      `x=1&api_key=${key}&y=2`,
      `api_key=${key}&api_key=${key}`,
      `api%5Fkey=${encoded}`,
      `page[name]=%zz&api_key=${key}`,
    ]) {
      assert.equal((await service.request('GET', `/api/account.json?${query}`)).status, 200, query);
    }
  });

  test('a key in Authorization: Bearer is accepted, and no other scheme', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const header of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key} `]) {
      for (const query of ['', '?x=1', `?api_key=${key}`]) {
        const reply = await service.request('GET', `/api/account.json${query}`, { headers: { Authorization: header } });
        assert.equal(reply.status, 200, header);
      }
    }
    const created = await service.request('POST', '/api/pages.json?page[name]=Home', {
      headers: { Authorization: `Bearer ${key}` },
    });
    assert.equal(created.status, 200);
    for (const header of [
      key,
      `Basic ${btoa(`${key}:`)}`,
      `Token ${key}`,
      `Bearer ${key} ${key}`,
      'Bearer',
      'Bearer ',
    ]) {
      const reply = await service.request('GET', '/api/account.json', { headers: { Authorization: header } });
      assert.deepEqual(reply.outcome, invalidKey, header);
    }
  });

  test('a request with two different keys is answered with 401', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const second = (await issueKey(db, accountId, userId)).key;
    for (const [query, headers] of [
      [`api_key=${key}&api_key=${second}`, {}],
      [`api_key=${key}&api_key=nonsense`, {}],
      [`api_key=${key}`, { Authorization: `Bearer ${second}` }],
      [`api_key=${key}`, { Authorization: `Bearer ${newApiKey()}` }],
      [`api%5fkey=${second}&api_key=${key}`, {}],
    ] as const) {
      assert.deepEqual((await service.request('GET', `/api/account.json?${query}`, { headers })).outcome, invalidKey);
    }
    const lines = async (...headers: string[]) => {
      const head = headers.map((header) => `${header}\r\n`).join('');
      return service.sendRaw(`GET /api/account.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${head}\r\n`);
    };
    const [bearer, other] = [`Authorization: Bearer ${key}`, `authorization: Bearer ${second}`];
    for (const headers of [
      [bearer, other],
      [other, bearer],
      [bearer, `Authorization: Bearer ${newApiKey()}`],
    ]) {
      assert.match(await lines(...headers), /^HTTP\/1.1 401 /, headers.join());
    }
    assert.match(await lines(bearer, bearer), /^HTTP\/1.1 200 /);
  });

  test('an empty api_key beside a key is ignored', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const headers = { Authorization: `Bearer ${key}` };
    for (const query of ['api_key=', 'api_key', 'x=1&api_key=']) {
      assert.equal((await service.request('GET', `/api/account.json?${query}`, { headers })).status, 200, query);
    }
    assert.equal((await service.request('GET', `/api/account.json?api_key=&api_key=${key}`)).status, 200);
  });

  test('a key in a body is ignored', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const [type, body] of [
      ['application/x-www-form-urlencoded', `api_key=${key}&page[name]=Home`],
      ['application/json', JSON.stringify({ api_key: key, page: { name: 'Home', api_key: key } })],
      [
        'multipart/form-data; boundary=b',
        `--b\r\nContent-Disposition: form-data; name="api_key"\r\n\r\n${key}\r\n--b--\r\n`,
      ],
    ] as const) {
      const reply = await service.request('POST', '/api/pages.json', { headers: { 'Content-Type': type }, body });
      assert.deepEqual(reply.outcome, invalidKey, type);
      // Nor does it count as a second key.
      const other = await service.request('POST', `/api/pages.json?api_key=${key}&page[name]=${type.length}`, {
        headers: { 'Content-Type': type },
        body: body.replace(key, newApiKey()),
      });
      assert.notEqual(other.status, 401, type);
    }
  });

  test('the key is checked before the parameters', async (t) => {
    const { service } = await startWithAccount(t, open);
    for (const path of ['/api/customers.json', '/api/pages.json']) {
      for (const [headers, body] of [
        [{}, undefined],
        [{ 'Content-Type': 'application/json' }, '{broken'],
        [{ 'Content-Type': 'what/ever' }, 'x'],
        [{ 'Idempotency-Key': ' ' }, undefined],
      ] as const) {
        const reply = await service.request('POST', `${path}?page=%zz`, {
          headers,
          ...(body === undefined ? {} : { body }),
        });
        assert.deepEqual(reply.outcome, invalidKey);
      }
    }
  });

  test('every operation acts only on the account of the key', async (t) => {
    const { service, key, db, accountId } = await startWithAccount(t, open);
    const other = await makeAccount(db);
    const page = await makePage(db, other.accountId, { userId: other.userId });
    await service.request('POST', `/api/pages.json?api_key=${key}&page[name]=Mine&page[account_id]=${other.accountId}`);
    await service.createCustomer(key, {});
    assert.deepEqual(
      (await service.pages(other.key)).map(({ id }) => id),
      [`page_${page}`],
    );
    assert.equal((await service.account(key)).id, `account_${accountId}`);
    assert.equal((await service.account(other.key)).free_customers_count, 0);
    assert.equal((await service.account(key)).free_customers_count, 1);
  });

  test('while the key’s account is suspended every request is answered with 403, and nothing is changed', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const customer = await makeCustomer(db, accountId);
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', customer)
      .executeTakeFirstOrThrow();
    const { key } = await issueKey(db, customer, id);
    assert.equal((await service.createPage(key, { name: 'Before' })).status, 200);
    await db.transaction().execute((trx) => suspendCustomer(trx, accountId, customer, operator));
    for (const [method, path] of operations) {
      assert.deepEqual((await service.request(method, `${path}?api_key=${key}`)).outcome, suspended);
    }
    assert.deepEqual((await service.createPage(key, { name: 'Meanwhile' })).outcome, suspended);
    assert.deepEqual((await service.createCustomer(key, {})).outcome, suspended);
    await db.transaction().execute((trx) => restoreCustomer(trx, accountId, customer, operator));
    assert.deepEqual(
      (await service.pages(key)).map(({ name }) => name),
      ['Before'],
    );
  });

  for (const [surface, length] of [
    ['small', 0],
    ['large', 600_000],
  ] as const) {
    test(`a key that is revoked, expires or is suspended while a ${surface} body is being sent creates nothing`, async (t) => {
      const { service, db, accountId } = await startWithAccount(t, open);
      const customer = await makeCustomer(db, accountId);
      const { id: userId } = await db
        .selectFrom('users')
        .select('id')
        .where('account_id', '=', customer)
        .executeTakeFirstOrThrow();
      const pages = () => db.selectFrom('pages').select('name').where('account_id', '=', customer).execute();
      const before = await pages();
      const inTransaction = <R>(change: (trx: Trx) => Promise<R>) => db.transaction().execute(change);
      const endings = [
        [invalidKey, (id: number) => inTransaction((trx) => revokeApiKey(trx, customer, { keyId: id, userId: null }))],
        [
          invalidKey,
          (id: number) =>
            inTransaction((trx) => trx.updateTable('api_keys').set({ expires_at: 1 }).where('id', '=', id).execute()),
        ],
        [suspended, () => inTransaction((trx) => suspendCustomer(trx, accountId, customer, operator))],
      ] as const;
      for (const [outcome, end] of endings) {
        const { id, key } = await issueKey(db, customer, userId);
        const requests = [];
        for (const headers of [{}, { 'Idempotency-Key': `once-${id}` }]) {
          const page = { name: `Late ${id}`, body: 'x'.repeat(length) };
          const fields = { ...customerFields(), skip_default_pages: 'x'.repeat(length) };
          requests.push(await admitted(service, '/api/pages.json', key, headers, { page }));
          requests.push(await admitted(service, '/api/customers.json', key, headers, { customer: fields }));
          const wrong = { ...fields, user_password: 'short' };
          const invalid = 'Idempotency-Key' in headers ? { 'Idempotency-Key': `wrong-${id}` } : {};
          requests.push(await admitted(service, '/api/customers.json', key, invalid, { customer: wrong }));
        }
        await end(id);
        for (const send of requests) {
          const { status, text, headers } = await send();
          const refused = await service.request('POST', `/api/pages.json?api_key=${key}`);
          assert.deepEqual([status, text], [refused.status, refused.text]);
          assert.equal(headers['www-authenticate'], refused.headers['www-authenticate']);
          assert.deepEqual(refused.outcome, outcome);
        }
      }
      assert.deepEqual(await pages(), before);
      assert.deepEqual(await db.selectFrom('idempotency').selectAll().execute(), []);
      const sold = db.selectFrom('accounts').select('id').where('parent_id', '=', customer);
      assert.deepEqual(await sold.execute(), []);
    });
  }

  test('a revoked key does not keep concurrent requests with other keys from creating pages', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open);
    const ended = await issueKey(db, accountId, userId);
    const names = ['First', 'Second', 'Third', 'Fourth'];
    const requests = await Promise.all(
      names.map((name, index) =>
        admitted(service, '/api/pages.json', index % 2 === 0 ? ended.key : key, {}, { page: { name } }),
      ),
    );
    await db.transaction().execute((trx) => revokeApiKey(trx, accountId, { keyId: ended.id, userId: null }));
    const replies = await Promise.all(requests.map((send) => send()));
    assert.deepEqual(
      replies.map(({ status }) => status),
      [401, 200, 401, 200],
    );
    assert.deepEqual((await service.pages(key)).map(({ name }) => name).sort(), ['Fourth', 'Second']);
  });

  test('an unknown path is answered with 404 and a wrong method with 405 and Allow, as JSON', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const path of [
      '/',
      '/api',
      '/api/',
      '/api/pages',
      '/api/pages.json/',
      '/api/PAGES.json',
      '/api/pages.xml',
      '/api/__proto__',
      '/api/pages.json/1',
      '//api/pages.json',
    ]) {
      const reply = await service.get(path, key);
      assert.equal(reply.status, 404, path);
      assert.deepEqual(Object.keys(reply.json), ['response', 'errors']);
      assert.equal(reply.json.response, false);
      const isApi = path.startsWith('/api/');
      if (!isApi) assert.equal(reply.json.errors, 'Not found.');
      else assert.match(reply.json.errors, /^There is nothing at this path\. /);
    }
    for (const [path, advice] of [
      ['/api/nothing.json', 'See http://localhost:8080/api/docs.'],
      ['/api/pages', 'Did you mean /api/pages.json?'],
      ['/api/Pages.json/', 'Did you mean /api/pages.json?'],
      ['/api/pages/page_1/publish', 'Did you mean /api/pages/page_1/publish.json?'],
      ['/api/customers/acme-bakery.json', 'It needs an id, such as account_12 or page_12.'],
      ['/api/pages/home/publish.json', 'It needs an id, such as account_12 or page_12.'],
    ]) {
      assert.equal((await service.get(path!, key)).json.errors, `There is nothing at this path. ${advice}`);
    }
    for (const [method, path, allow] of [
      ['PUT', '/api/customers.json', 'GET, HEAD, POST'],
      ['DELETE', '/api/customers.json', 'GET, HEAD, POST'],
      ['PUT', '/api/pages.json', 'GET, HEAD, POST'],
      ['DELETE', '/api/pages.json', 'GET, HEAD, POST'],
      ['PATCH', '/api/pages.json', 'GET, HEAD, POST'],
      ['POST', '/api/account.json', 'GET, HEAD'],
      ['OPTIONS', '/api/account.json', 'GET, HEAD'],
    ] as const) {
      const reply = await service.request(method, `${path}?api_key=${key}`);
      assert.equal(reply.status, 405, `${method} ${path}`);
      assert.equal(reply.headers.allow, allow);
      assert.deepEqual(reply.json, { response: false, errors: `Method not allowed here. Allowed: ${allow}.` });
    }
  });

  test('beyond RATE_LIMIT requests a minute a key gets 429 with Retry-After, and other keys do not', async (t) => {
    const { service, key, db, accountId, userId } = await startWithAccount(t, open, { RATE_LIMIT: '5' });
    const other = (await issueKey(db, accountId, userId)).key;
    for (let index = 0; index < 5; index++) {
      const reply = await service.get('/api/account.json', key);
      assert.equal(reply.status, 200);
      assert.match(String(reply.headers.ratelimit), new RegExp(`r=${4 - index};`));
    }
    for (const [method, path] of operations) {
      const reply = await service.request(method, `${path}?api_key=${key}`);
      assert.equal(reply.status, 429);
      assert.match(reply.headers['retry-after']!, /^[1-9]\d?$/);
      assert.equal(reply.json.response, false);
      assert.equal(typeof reply.json.errors, 'string');
    }
    assert.equal((await service.get('/api/account.json', other)).status, 200);
  });

  test('beyond FAILED_KEY_LIMIT wrong keys an address gets 429, but its valid keys still work', async (t) => {
    const { service, key } = await startWithAccount(t, open, { FAILED_KEY_LIMIT: '3' });
    for (let index = 0; index < 3; index++) assert.equal((await wrong(service)).status, 401);
    const reply = await wrong(service);
    assert.equal(reply.status, 429);
    assert.match(reply.headers['retry-after']!, /^[1-9]\d?$/);
    assert.equal((await service.get('/api/account.json', key)).status, 200);
  });

  test('FAILED_KEY_LIMIT does not count requests without a key', async (t) => {
    const { service } = await startWithAccount(t, open, { FAILED_KEY_LIMIT: '2' });
    for (const query of ['', '?api_key=', '?api_key', '?x=1', '']) {
      assert.deepEqual((await service.request('GET', `/api/account.json${query}`)).outcome, invalidKey, query);
    }
    const basic = { headers: { Authorization: 'Basic am9lOm9wZW4=' } };
    for (let index = 0; index < 3; index++) {
      assert.deepEqual((await service.request('GET', '/api/account.json', basic)).outcome, invalidKey);
    }
    const statuses = [];
    for (let index = 0; index < 3; index++) statuses.push((await wrong(service)).status);
    assert.deepEqual(statuses, [401, 401, 429]);
  });

  test('if PUBLIC_URL is https, requests over plain HTTP are refused', async (t) => {
    const { service, key } = await startWithAccount(t, open, {
      PUBLIC_URL: 'https://service.test',
      TRUST_PROXY: 'loopback',
    });
    assert.equal((await service.get('/api/account.json', key)).status, 403);
    assert.equal((await service.get('/api/account.json', key, { 'X-Forwarded-Proto': 'https' })).status, 200);
    // The key has been exposed, whatever else is wrong with the request.
    for (const [method, path] of [
      ['GET', '/api/pages'],
      ['DELETE', '/api/pages.json'],
      ['GET', '/api/docs'],
      ['POST', '/api/openapi.json'],
    ] as const) {
      const reply = await service.request(method, `${path}?api_key=${key}`);
      assert.equal(reply.status, 403, `${method} ${path}`);
      assert.match(reply.json.errors, /^HTTPS is required\. The API key/);
      const inHeader = await service.request(method, path, { headers: { Authorization: `Bearer ${key}` } });
      assert.equal(inHeader.status, 403, `${method} ${path}`);
      assert.notEqual((await service.request(method, path)).status, 403);
    }
  });

  test('a refused request over plain HTTP is told to replace its key only if it has sent one', async (t) => {
    const { service, key } = await startWithAccount(t, open, { PUBLIC_URL: 'https://service.test' });
    const inTheClear = 'HTTPS is required. The API key of this request was sent in the clear: replace it.';
    const ofBasic = { Authorization: 'Basic am9lOm9wZW4=' };
    const ofBearer = { Authorization: `Bearer ${key}` };
    for (const [method, path] of operations) {
      for (const [query, headers, errors] of [
        ['', {}, 'HTTPS is required.'],
        ['?api_key=', {}, 'HTTPS is required.'],
        ['?page[name]=Home', ofBasic, 'HTTPS is required.'],
        ['', ofBearer, inTheClear],
        [`?api_key=${newApiKey()}`, ofBearer, inTheClear],
        [`?api_key=${key}`, {}, inTheClear],
      ] as const) {
        const { outcome } = await service.request(method, path + query, { headers });
        assert.deepEqual(outcome, [403, { response: false, errors }], `${method} ${path}${query}`);
      }
    }
  });

  test('every answer has a request id: the client’s own, its trace id, or a new one', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const seen = new Set<string>();
    for (const target of [
      `/api/account.json?api_key=${key}`,
      '/api/account.json',
      '/nothing',
      `/api/pages.json?api_key=${key}`,
    ]) {
      const reply = await service.request('GET', target);
      assert.match(String(reply.headers['x-request-id']), /^[\w-]{5,64}$/);
      seen.add(String(reply.headers['x-request-id']));
      const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
      const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
      const traced = await service.request('GET', target, { headers: { traceparent } });
      assert.equal(traced.headers['x-request-id'], trace);
      for (const wrong of [traceparent.slice(1), traceparent.replace(trace, '0'.repeat(32)), `${traceparent}0`]) {
        const other = await service.request('GET', target, { headers: { traceparent: wrong } });
        assert.notEqual(other.headers['x-request-id'], trace);
        assert.match(String(other.headers['x-request-id']), /^[\da-f]{32}$/);
      }
      const both = await service.request('GET', target, { headers: { traceparent, 'X-Request-Id': 'mine' } });
      assert.equal(both.headers['x-request-id'], 'mine');
      const named = await service.request('GET', target, { headers: { 'X-Request-Id': 'mine-1.2:3' } });
      assert.equal(named.headers['x-request-id'], 'mine-1.2:3');
      for (const bad of ['a b', 'x'.repeat(65), '"><script>', '{}']) {
        const other = await service.request('GET', target, { headers: { 'X-Request-Id': bad } });
        assert.notEqual(other.headers['x-request-id'], bad);
      }
    }
    assert.equal(seen.size, 4);
  });

  test('a request that cannot be parsed has the same request id in its response and in the log', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const secret = `?api_key=${key}`;
    const host = 'Host: x\r\n';
    const wanted: Array<[status: number, bytes: string]> = [
      [400, `GET /api/account.json${secret} HTTP/9.9\r\n\r\n`],
      [400, `POST /api/pages.json${secret} HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`],
      [405, `CONNECT example.com:443 HTTP/1.1\r\n${host}\r\n`],
      [431, `GET /api/account.json${secret} HTTP/1.1\r\n${host}X: ${'x'.repeat(3 * 1024 * 1024)}\r\n\r\n`],
    ];
    const ids: string[] = [];
    for (const [status, bytes] of wanted) {
      const answer = await service.sendRaw(bytes);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      ids.push(/^X-Request-Id: ([\w-]{5,64})\r$/im.exec(answer)![1]!);
    }
    const named = await service.sendRaw(`CONNECT x:1 HTTP/1.1\r\n${host}X-Request-Id: mine-1\r\n\r\n`);
    assert.match(named, /\r\nX-Request-Id: mine-1\r\n/);
    await service.stop();
    const lines = service.log
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === 'request');
    assert.deepEqual(
      lines,
      [...wanted, [405] as const].map(([status], index) => ({
        level: 30,
        time: lines[index].time,
        requestId: ids[index] ?? 'mine-1',
        status,
        ip: '127.0.0.1',
        msg: 'request',
      })),
    );
  });

  test('a URL with bytes that must be percent-encoded is refused with an explanation', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const answer = await service.sendRaw(`GET /api/account.json?api_key=${key}&x=Café HTTP/1.1\r\nHost: x\r\n\r\n`);
    assert.match(answer, /^HTTP\/1.1 400 /);
    assert.match(
      answer,
      /\{"response":false,"errors":"The URL has characters that must be percent-encoded: .*%C3%A9\."\}$/,
    );
  });

  test('keys and passwords never appear in the log or in responses', async (t) => {
    const { service, key, db } = await startWithAccount(t, open, { FAILED_KEY_LIMIT: '20' });
    const password = 'sEcReT-pAsSwOrD-1';
    const unknown = newApiKey();
    const replies: string[] = [];
    const send = async (...parameters: Parameters<Service['request']>) => {
      const { headers, text } = await service.request(...parameters);
      replies.push(JSON.stringify(headers) + text);
    };
    const secret = customerFields({ user_password: password });
    const query = new URLSearchParams(Object.entries(secret).map(([name, value]) => [`customer[${name}]`, value]));
    const json = { 'Content-Type': 'application/json' };
    for (const given of [key, unknown, `${key}x`]) {
      const customers = `/api/customers.json?api_key=${given}`;
      await send('POST', `${customers}&${query}`);
      await send('POST', `${customers}&${query}`);
      await send('POST', `${customers}&${query}&customer[user_password]=${password}`);
      await send('POST', `${customers}&${query}&customer[user_password_confirmation]=`);
      await send('POST', customers, { headers: json, body: JSON.stringify({ customer: secret }) });
      await send('POST', customers, { headers: json, body: `{"customer":{"user_password":"${password}"` });
      await send('POST', customers, {
        headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
        body: `--b\r\n${password}`,
      });
      await send('POST', customers, { headers: { 'Content-Type': `x/${password}` }, body: password });
      await send('POST', `${customers}&${query}`, {
        headers: { 'Idempotency-Key': 'a b', Authorization: `Bearer ${given}` },
      });
      await send('PUT', `${customers}&${query}`);
      await send('GET', `/nothing?api_key=${given}`);
      // With a forgotten or encoded question mark, the query is part of the path.
      await send('GET', `/api/pages.json&api_key=${given}`);
      await send('GET', `/api/pages.json%3Fapi_key=${given}`);
      await send('GET', `/api/${given}/pages.json`);
      await send('POST', `/api/customers.json;api_key=x&customer[user_password]=${password}`);
      await send('GET', `/api/account.json?api_key=${given}`, { headers: { Authorization: `Bearer ${unknown}` } });
      await send('GET', `/api/pages.json`, { headers: { Authorization: `Bearer ${given}` } });
    }
    replies.push(await service.sendRaw(`GET /api/account.json?api_key=${key} HTTP/9.9\r\n\r\n`));
    replies.push(await service.sendRaw(`GET /api/account.json?api_key=${key} HTTP/1.1\r\nConnection: close\r\n\r\n`));
    // A server error: the table of pages is missing, and the logged error has the statement.
    await db.transaction().execute((trx) => trx.schema.alterTable('pages').renameTo('gone').execute());
    await send('GET', `/api/pages.json?api_key=${key}`);
    await send('POST', `/api/pages.json?api_key=${key}&page[name]=${password}`);
    await send('POST', `/api/customers.json?api_key=${key}&${query.toString().replace('acme-bakery', 'second')}`);
    assert.ok(replies.some((reply) => reply.includes('went wrong on our side')));
    await service.stop();

    const log = service.log.join('');
    assert.ok(log.includes('"path":"/api/customers.json"') && log.includes('request failed'));
    for (const text of [log, ...replies]) {
      for (const word of [key, unknown, key.slice(3, 20), password]) {
        assert.ok(!text.includes(word), `${word} in ${text.slice(0, 2000)}`);
      }
    }
  });
});

/** Sends the head of a creation and waits until the service has checked the key. Returns a function that sends the body. */
async function admitted(service: Service, path: string, key: string, headers: OutgoingHttpHeaders, fields: object) {
  const body = JSON.stringify(fields);
  const own = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), Expect: '100-continue' };
  const request = httpRequest({
    port: service.port,
    host: '127.0.0.1',
    method: 'POST',
    path: `${path}?api_key=${key}`,
    headers: { ...own, ...headers },
  });
  request.flushHeaders();
  await once(request, 'continue');
  request.write(body.slice(0, 20));
  return async () => {
    request.end(body.slice(20));
    const [response] = await once(request, 'response');
    return new Reply(response.statusCode, response.headers, await buffer(response));
  };
}

function wrong(service: Service) {
  return service.get('/api/account.json', newApiKey());
}

function issueKey(db: Db, accountId: number, userId: number, expiresAt: number | null = null) {
  return db.transaction().execute((trx) => issueApiKey(trx, accountId, { userId, name: 'Test', expiresAt }));
}
