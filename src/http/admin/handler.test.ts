import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { onEachDatabase, onSqlite } from '../../../test/databases.ts';
import { makePage } from '../../../test/factories.ts';
import { makeUser, Person, signedInAs } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';

onEachDatabase("the admin app's surface", (open) => {
  test('a request without a session is answered with 401', async (t) => {
    const { service } = await startWithAccount(t, open);
    const { outcome } = await new Person(service).get('session');
    assert.deepEqual(outcome, [401, { error: { code: 'unauthorized', message: 'Sign in first.' } }]);
  });

  test('responses cannot be cached, framed, or read by another origin', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    for (const { headers } of [
      await person.get('session'),
      await person.get('nothing'),
      await person.post('sign-out'),
    ]) {
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/);
      assert.equal(headers['access-control-allow-origin'], undefined);
    }
    const preflight = await person.send('OPTIONS', 'session', undefined, { Origin: 'https://evil.example' });
    assert.equal(preflight.status, 405);
    assert.equal(preflight.headers['access-control-allow-origin'], undefined);
  });

  test('long responses are compressed if the client accepts that', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const body = 'Wörter. '.repeat(500);
    const path = `pages/${await makePage(db, accountId, { name: 'Long', body, userId })}`;
    const plain = await person.get(path);
    for (const [accepted, encoding, decode] of [
      ['gzip, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
    ] as const) {
      const { headers, bytes } = await person.get(path, { 'Accept-Encoding': accepted });
      assert.equal(headers['content-encoding'], encoding);
      assert.equal(headers.vary, 'Accept-Encoding');
      assert.equal(headers['cache-control'], 'no-store');
      assert.equal(Number(headers['content-length']), bytes.length);
      assert.deepEqual(decode(bytes), plain.bytes);
    }
    const short = await person.get('session', { 'Accept-Encoding': 'br' });
    assert.equal(short.headers['content-encoding'], undefined);
  });

  test('the admin surface exists only on the host of PUBLIC_URL', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open, {
      PUBLIC_URL: 'http://admin.example',
      SITES_DOMAIN: 'sites.example',
    });
    const person = await signedInAs(service, db, accountId);
    const status = async (Host: string) =>
      (await person.get('session', { Host, Origin: 'http://admin.example' })).status;
    assert.equal(await status('admin.example'), 200);
    assert.equal(await status('ADMIN.example.:8080'), 200);
    for (const host of ['agency.sites.example', 'evil.example', '127.0.0.1', 'localhost']) {
      assert.equal(await status(host), 404, host);
    }
  });

  test('requests that a browser sends for another site are refused', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const outcomes: [headers: Record<string, string>, get: number, post: number][] = [
      [{ 'Sec-Fetch-Site': 'same-origin' }, 200, 204],
      [{ 'Sec-Fetch-Site': 'same-site' }, 403, 403],
      [{ 'Sec-Fetch-Site': 'cross-site' }, 403, 403],
      [{ 'Sec-Fetch-Site': 'none' }, 200, 403],
      [{ Origin: 'http://localhost:8080' }, 200, 204],
      [{ Origin: 'http://agency.localhost:8080' }, 403, 403],
      [{ Origin: 'null' }, 403, 403],
    ];
    for (const [headers, get, post] of outcomes) {
      const words = JSON.stringify(headers);
      assert.equal((await person.get('session', headers)).status, get, words);
      const { cookie } = person;
      assert.equal((await person.post('sign-out', {}, headers)).status, post, words);
      person.cookie = cookie;
      if (post === 204) person.cookie = (await signedInAs(service, db, accountId)).cookie;
    }
    const bare = await service.request('POST', '/admin/sign-out', { headers: { Host: 'localhost' } });
    assert.deepEqual([bare.status, bare.json.error.code], [403, 'cross_site']);
  });

  test('an unpaired surrogate anywhere in a body is malformed', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const bodies: [method: string, path: string, body: object][] = [
      ['POST', 'users', { name: 'Ned\ud800', email: 'ned@example.com', role: 'editor' }],
      ['POST', 'users', { name: 'Ned', email: 'ned\udc00@example.com', role: 'editor' }],
      ['PATCH', 'you', { name: '\ud800' }],
      ['POST', 'pages', { name: 'A page', body: 'x\udfff' }],
      ['PUT', 'pages/1/draft', { fields: { body: '\ud83d' }, basedOn: 1, draftAt: null }],
      ['POST', 'sign-in', { email: 'ann@example.com', password: '\ud800' }],
      ['POST', 'passkeys/sign-in', { answer: { id: '\ud800', response: { clientDataJSON: 'e30' } } }],
    ];
    for (const [method, path, body] of bodies) {
      const { status, json } = await owner.send(method, path, body);
      assert.deepEqual([status, json.error.code], [400, 'malformed'], JSON.stringify(body));
    }
    assert.equal((await owner.patch('you', { name: 'Olivia 🦉' })).status, 204);
  });

  test('entered names with characters that change the direction of text are refused', async (t) => {
    const { service, db, accountId, key } = await startWithAccount(t, open);
    const owner = await signedInAs(service, db, accountId);
    const name = 'Ann\u202egpj';
    const { id } = await makeUser(db, accountId, { role: 'editor' });
    const calls: [method: string, path: string, body: object][] = [
      ['POST', 'users', { name, email: 'ned@example.com', role: 'editor' }],
      ['PATCH', `users/${id}`, { name }],
      ['PATCH', 'you', { name }],
      ['PATCH', 'settings', { name }],
      ['POST', 'keys', { name }],
    ];
    for (const [method, path, body] of calls) {
      const { status, json } = await owner.send(method, path, body);
      assert.deepEqual([status, json.error?.fields], [422, [{ field: 'name', code: 'control_character' }]], path);
    }
    // The API accepts such names as before. Things with such a name can still be changed otherwise.
    assert.equal((await service.createPage(key, { name })).status, 200);
    assert.equal((await service.createCustomer(key, { account_name: name, user_name: name })).status, 200);
    await db.transaction().execute((trx) => trx.updateTable('users').set({ name }).where('id', '=', id).execute());
    await db.transaction().execute((trx) => trx.updateTable('accounts').set({ name }).execute());
    assert.equal((await owner.patch(`users/${id}`, { name, role: 'viewer' })).status, 204);
    assert.equal((await owner.patch('settings', { name, theme: 'business' })).status, 200);
  });

  test('a body that is no JSON object, or that a form could send, is malformed', async (t) => {
    const { service } = await startWithAccount(t, open);
    const headers = { Host: 'localhost', Origin: 'http://localhost:8080' };
    const post = async (type: string, body: string) => {
      const reply = await service.request('POST', '/admin/sign-in', {
        headers: { ...headers, 'Content-Type': type },
        body,
      });
      return [reply.status, reply.json.error.code];
    };
    const right = JSON.stringify({ email: 'a@b.example', password: 'x' });
    assert.deepEqual(await post('application/json; charset=utf-8', right), [401, 'unauthorized']);
    for (const [type, body] of [
      ['text/plain', right],
      ['application/x-www-form-urlencoded', 'email=a&password=b'],
      ['application/json', '{"email":'],
      ['application/json', '[]'],
      ['application/json', 'null'],
      ['application/json', '{"email":["a"],"password":"b"}'],
      ['application/json', '{"email":"a"}'],
    ] as const) {
      assert.deepEqual(await post(type, body), [400, 'malformed'], body);
    }
    assert.deepEqual(await post('application/json', '{"email":"a\\u0000","password":"b"}'), [422, 'invalid']);
  });

  test('a body of more than 64 KB is refused by routes that take a few fields', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open);
    const long = { email: 'a@b.example', password: 'x'.repeat(70_000), name: 'x'.repeat(70_000) };
    const { status, json } = await new Person(service).post('sign-in', long);
    assert.deepEqual([status, json.error.code], [413, 'too_large']);
    const person = await signedInAs(service, db, accountId);
    assert.equal((await person.patch('settings', long)).status, 413);
    assert.equal((await person.patch('settings', { name: 'x'.repeat(60_000) })).status, 422);
  });

  test('unknown paths are answered with 404, and unknown methods with 405', async (t) => {
    const { service } = await startWithAccount(t, open);
    const person = new Person(service);
    assert.deepEqual((await person.get('nothing')).json.error.code, 'not_found');
    for (const path of ['sessions/0', 'sessions/x', 'sessions/1/2', 'sessions/99999999999999999999']) {
      assert.equal((await person.delete(path)).status, 404, path);
    }
    const wrong = await person.delete('session');
    assert.deepEqual([wrong.status, wrong.headers.allow], [405, 'GET']);
  });

  test('with HTTPS, the session cookie is bound to the host, and plain HTTP is refused', async (t) => {
    const { service, db, accountId } = await startWithAccount(t, open, {
      PUBLIC_URL: 'https://admin.example',
      TRUST_PROXY: 'loopback',
    });
    const headers = { Host: 'admin.example', Origin: 'https://admin.example', 'X-Forwarded-Proto': 'https' };
    const { cookie } = await signedInAs(service, db, accountId);
    const secure = new Person(service, undefined, headers);
    secure.cookie = cookie;
    assert.equal((await secure.get('session')).status, 401, 'any host of the domain could have set this cookie');
    secure.cookie = `__Host-${cookie}`;
    assert.equal((await secure.get('session')).status, 200);
    assert.equal((await secure.get('session', { 'X-Forwarded-Proto': 'http' })).status, 403);
    const { headers: answered } = await secure.post('sign-out');
    assert.deepEqual(answered['set-cookie'], ['__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0']);
  });
});

// Requests are counted in memory.
onSqlite("the limits of the admin app's surface", (open) => {
  test('a session may make 1,200 requests per minute, and other sessions are not affected', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2030, 0, 1) });
    const { service, db, accountId } = await startWithAccount(t, open);
    const person = await signedInAs(service, db, accountId);
    const replies = await Promise.all(Array.from({ length: 1201 }, () => person.get('sessions')));
    const refused = replies.filter(({ status }) => status !== 200);
    assert.equal(refused.length, 1);
    const { status, headers, json } = refused[0]!;
    assert.deepEqual([status, json.error.code, headers['retry-after']], [429, 'rate_limited', '60']);
    assert.equal((await (await signedInAs(service, db, accountId)).get('sessions')).status, 200);
    t.mock.timers.setTime(Date.now() + 60_000);
    assert.equal((await person.get('sessions')).status, 200);
  });
});
