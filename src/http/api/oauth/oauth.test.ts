import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { callTool } from '../../../../test/assistant.ts';
import { onEachDatabase } from '../../../../test/databases.ts';
import { actor } from '../../../../test/factories.ts';
import { makeUser, Person, tokenFor } from '../../../../test/person.ts';
import { type Service, startWithAccount } from '../../../../test/service.ts';
import { changeMember } from '../../../membership/change-member.ts';
import { registerClient } from '../../../oauth/client.ts';
import { removeUser } from '../../../users/remove-user.ts';

const REDIRECT_URI = 'http://localhost:9999/callback';
const VERIFIER = 'v'.repeat(64);
const PUBLIC_URL = 'http://localhost:8080';

/** A program that a user authorizes, in the form that the protocol's library requires. */
class Program implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata = { client_name: 'Claude', redirect_uris: [REDIRECT_URI] };
  opened: URL | undefined;
  #client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
  #tokens: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
  #verifier = '';
  #discovered: Parameters<NonNullable<OAuthClientProvider['saveDiscoveryState']>>[0] | undefined;
  saveDiscoveryState(discovered: NonNullable<ReturnType<Program['discoveryState']>>) {
    this.#discovered = discovered;
  }
  discoveryState() {
    return this.#discovered;
  }
  state() {
    return 'a state & more';
  }
  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: NonNullable<Program['client']>) {
    this.#client = client;
  }
  get client() {
    return this.#client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: NonNullable<ReturnType<Program['tokens']>>) {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL) {
    this.opened = url;
  }
  saveCodeVerifier(verifier: string) {
    this.#verifier = verifier;
  }
  codeVerifier() {
    return this.#verifier;
  }
}

/** Returns a `fetch` that sends requests for PUBLIC_URL to the service, whatever its port. */
function fetchFrom(service: Service): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const { host, pathname, search } = new URL(request.url);
    const text = await request.text();
    const { status, headers, bytes } = await service.request(request.method, `${pathname}${search}`, {
      headers: { ...Object.fromEntries(request.headers), host },
      ...(text !== '' && { body: text }),
    });
    const named = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(status === 202 || status === 204 ? null : new Uint8Array(bytes), { status, headers: named });
  };
}

function transportOf(service: Service, authProvider: Program) {
  return new StreamableHTTPClientTransport(new URL(`${PUBLIC_URL}/mcp`), { authProvider, fetch: fetchFrom(service) });
}

const authorization = {
  client_id: registerClient({ name: 'Claude', redirectUris: [REDIRECT_URI] }),
  redirect_uri: REDIRECT_URI,
  response_type: 'code',
  code_challenge: hash('sha256', VERIFIER, 'base64url'),
  code_challenge_method: 'S256',
};

/** Has an owner grant the scopes to a program. Returns the code for the program, and the owner. */
async function allow(t: Start, scopes: readonly string[] = ['pages:read']) {
  const user = await makeUser(t.db, t.accountId, { role: 'owner' });
  const person = new Person(t.service, await tokenFor(t.db, t.accountId, user.id));
  const { status, json } = await person.post('authorizations', { ...authorization, scopes });
  assert.equal(status, 201);
  return { code: new URL(json.url).searchParams.get('code')!, user };
}

type Start = Awaited<ReturnType<typeof startWithAccount>>;

function redeem({ service }: Start, fields: Record<string, string>) {
  const { client_id, redirect_uri } = authorization;
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier: VERIFIER, ...fields };
  return service.request('POST', '/oauth/token', {
    headers: { Host: 'localhost', 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

async function start(t: TestContext, open: Parameters<typeof startWithAccount>[1], options = {}): Promise<Start> {
  return startWithAccount(t, open, options);
}

onEachDatabase('OAuth for programs', (open) => {
  test('a program discovers the endpoints, gets a user’s consent to scopes, and works with its key', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const user = await makeUser(db, accountId, { role: 'admin', name: 'Ada Admin' });
    const person = new Person(service, await tokenFor(db, accountId, user.id));
    const program = new Program();
    const transport = transportOf(service, program);
    await assert.rejects(new Client({ name: 'test', version: '1' }).connect(transport), { name: 'UnauthorizedError' });
    const opened = program.opened!;
    assert.equal(opened.origin + opened.pathname, `${PUBLIC_URL}/authorize`);

    const query = opened.search.slice(1);
    const { json: shown } = await person.get(`authorization?${query}`);
    assert.deepEqual([shown.name, shown.host], ['Claude', 'localhost:9999']);
    const scopes = ['pages:read', 'pages:write'];
    const input = { ...Object.fromEntries(opened.searchParams), scopes };
    const { status, json } = await person.post('authorizations', input);
    assert.equal(status, 201);
    const answer = new URL(json.url);
    assert.equal(answer.searchParams.get('state'), 'a state & more');
    await transport.finishAuth(answer.searchParams);

    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transportOf(service, program));
    t.after(() => client.close());
    const { page_id } = await callTool(client, 'create_page', { name: 'News' });
    assert.match((await callTool(client, 'get_account')).refused, /It needs the scope revenue:read/);
    const { json: listed } = await person.get('keys');
    const key = listed.keys[0];
    assert.deepEqual([key.name, key.scopes, key.userName], ['Claude', ['pages:write'], 'Ada Admin']);
    assert.ok(key.expiresAt > key.createdAt);
    const events = await db
      .selectFrom('audit_log')
      .select(['action', 'actor', 'subject'])
      .where('account_id', '=', accountId)
      .where('user_id', '=', user.id)
      .orderBy('id')
      .execute();
    assert.deepEqual(
      events.slice(-2).map(({ action, actor, subject }) => `${action} ${subject}: ${actor}`),
      [`key.issued key_${key.id}: Ada Admin`, `page.created ${page_id}: Assistant for Ada Admin`],
    );
  });

  test('a program whose key has expired sends the user to authorize it again', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const user = await makeUser(db, accountId, { role: 'owner' });
    const person = new Person(service, await tokenFor(db, accountId, user.id));
    const program = new Program();
    const connect = async () => {
      const client = new Client({ name: 'test', version: '1' });
      t.after(() => client.close());
      await client.connect(transportOf(service, program));
    };
    const allowOpened = async () => {
      const input = { ...Object.fromEntries(program.opened!.searchParams), scopes: ['pages:read'] };
      const { json } = await person.post('authorizations', input);
      await transportOf(service, program).finishAuth(new URL(json.url).searchParams);
      program.opened = undefined;
    };
    await assert.rejects(connect(), { name: 'UnauthorizedError' });
    await allowOpened();
    await db
      .transaction()
      .execute((trx) => trx.updateTable('api_keys').set({ expires_at: 1 }).where('user_id', '=', user.id).execute());
    await assert.rejects(connect(), { name: 'UnauthorizedError' });
    assert.equal(program.opened!.pathname, '/authorize');
    await allowOpened();
    await connect();
  });

  test('a user who refuses is sent back with access_denied and without a code', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const user = await makeUser(db, accountId, { role: 'owner' });
    const person = new Person(service, await tokenFor(db, accountId, user.id));
    const query = new URLSearchParams({ ...authorization, state: 'xyz', scope: 'revenue:read nothing' });
    const { json } = await person.get(`authorization?${query}`);
    assert.deepEqual(json.scopes, ['revenue:read']);
    const { searchParams } = new URL(json.deniedUrl);
    assert.deepEqual(Object.fromEntries(searchParams), { error: 'access_denied', state: 'xyz', iss: PUBLIC_URL });
  });

  test('for an app’s own URL scheme, the user is shown the scheme and not the host after it', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const user = await makeUser(db, accountId, { role: 'owner' });
    const person = new Person(service, await tokenFor(db, accountId, user.id));
    for (const [uri, shown] of [
      ['com.evil.app://claude.ai/callback', 'com.evil.app'],
      ['cursor://claude.ai/callback', 'cursor'],
      ['vscode:callback', 'vscode'],
      ['https://claude.ai/callback', 'claude.ai'],
    ] as const) {
      const client = { client_id: registerClient({ name: 'Claude', redirectUris: [uri] }), redirect_uri: uri };
      const { json } = await person.get(`authorization?${new URLSearchParams({ ...authorization, ...client })}`);
      assert.equal(json.host, shown);
    }
  });

  test('an unsafe or invalid authorization request is not shown to the user', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const user = await makeUser(db, accountId, { role: 'owner' });
    const person = new Person(service, await tokenFor(db, accountId, user.id));
    for (const wrong of [
      { client_id: 'nothing' },
      { client_id: 'x'.repeat(5000) },
      // Anybody can forge a client id, so its contents are checked as on registration.
      { client_id: encoded(['Claude', 'javascript:alert(1)']), redirect_uri: 'javascript:alert(1)' },
      { client_id: encoded(['Claude', 'http://evil.example/']), redirect_uri: 'http://evil.example/' },
      { client_id: encoded({ name: 'Claude' }) },
      { redirect_uri: 'https://evil.example/callback' },
      { redirect_uri: `${REDIRECT_URI}/more` },
      { response_type: 'token' },
      { code_challenge_method: 'plain' },
      { code_challenge: 'short' },
      { resource: 'https://evil.example/mcp' },
    ]) {
      const query = { ...authorization, ...wrong };
      assert.equal(
        (await person.get(`authorization?${new URLSearchParams(query)}`)).status,
        400,
        JSON.stringify(wrong),
      );
      const { status } = await person.post('authorizations', { ...query, scopes: ['pages:read'] });
      assert.equal(status, 400, JSON.stringify(wrong));
    }
    for (const scopes of [[], ['keys:write'], ['pages:read', 'users:write'], ['pages:read', 'pages:read']]) {
      const { status } = await person.post('authorizations', { ...authorization, scopes });
      assert.equal(status, 400, scopes.join());
    }
    assert.deepEqual(await db.selectFrom('oauth_codes').selectAll().execute(), []);
  });

  test('an authorization request with a parameter given twice, in any encoding, is not shown', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const user = await makeUser(db, accountId, { role: 'owner' });
    const person = new Person(service, await tokenFor(db, accountId, user.id));
    const uri = 'https://evil.example/callback';
    const others = {
      ...authorization,
      client_id: registerClient({ name: 'Other', redirectUris: [uri] }),
      redirect_uri: uri,
    };
    const statusOf = async (query: string) => (await person.get(`authorization?${query}`)).status;
    const once = String(new URLSearchParams({ ...authorization, scope: 'pages:read', unknown: 'x' }));
    assert.equal(await statusOf(`${once}&unknown=y`), 200);
    for (const [name, value] of Object.entries({ ...others, scope: 'pages:write' })) {
      assert.equal(await statusOf(`${once}&${name}=${encodeURIComponent(value)}`), 400, name);
      assert.equal(await statusOf(`${name.replace('_', '%5f')}=${encodeURIComponent(value)}&${once}`), 400, name);
    }
    assert.equal(await statusOf(`${once}&${new URLSearchParams(others)}`), 400);
  });

  test('a code is redeemed once, and only by the program that knows the verifier', async (t) => {
    const started = await start(t, open);
    for (const wrong of [
      { code_verifier: 'w'.repeat(64) },
      { redirect_uri: 'http://localhost:9999/other' },
      { client_id: registerClient({ name: 'Other', redirectUris: [REDIRECT_URI] }) },
    ]) {
      const { code } = await allow(started);
      const { status, json } = await redeem(started, { code, ...wrong });
      assert.deepEqual([status, json.error], [400, 'invalid_grant']);
      assert.equal((await redeem(started, { code })).status, 400, 'it is lost');
    }
    const { code } = await allow(started);
    const { status, json, headers } = await redeem(started, { code });
    assert.equal(status, 200);
    assert.deepEqual([json.token_type, json.expires_in, json.scope], ['Bearer', 90 * 24 * 60 * 60, 'pages:read']);
    assert.equal(headers['cache-control'], 'no-store');
    assert.equal((await started.service.get('/api/pages.json', json.access_token)).status, 200);
    assert.equal((await started.service.get('/api/customers.json', json.access_token)).status, 403);
    assert.ok(started.service.log.every((line) => !line.includes(json.access_token) && !line.includes(code)));
  });

  test('redeeming a code a second time with its verifier revokes its key', async (t) => {
    const started = await start(t, open);
    const { service, db, accountId } = started;
    const { code } = await allow(started);
    const [first, second] = await Promise.all([redeem(started, { code }), redeem(started, { code })]);
    assert.deepEqual([first!.status, second!.status].sort(), [200, 400]);
    const { json } = first!.status === 200 ? first! : second!;
    assert.equal((await service.get('/api/pages.json', json.access_token)).status, 401);
    const { actor } = await db
      .selectFrom('audit_log')
      .select('actor')
      .where('account_id', '=', accountId)
      .where('action', '=', 'key.revoked')
      .executeTakeFirstOrThrow();
    assert.equal(actor, 'service');
  });

  test('sending a code again without its verifier does not revoke its key', async (t) => {
    const started = await start(t, open);
    const { code } = await allow(started);
    const { json } = await redeem(started, { code });
    assert.equal((await redeem(started, { code, code_verifier: 'w'.repeat(64) })).status, 400);
    assert.equal((await started.service.get('/api/pages.json', json.access_token)).status, 200);
    assert.equal((await redeem(started, { code })).status, 400);
    assert.equal(
      (await started.service.get('/api/pages.json', json.access_token)).status,
      401,
      'the code is still known',
    );
  });

  test('the log has the IP address of the user who authorized a program, not the program’s', async (t) => {
    const started = await start(t, open, { TRUST_PROXY: '127.0.0.1' });
    const { db, service, accountId } = started;
    const user = await makeUser(db, accountId, { role: 'owner' });
    const token = await tokenFor(db, accountId, user.id);
    const person = new Person(service, token, { 'X-Forwarded-For': '203.0.113.7' });
    const { json } = await person.post('authorizations', { ...authorization, scopes: ['pages:read'] });
    const code = new URL(json.url).searchParams.get('code')!;
    assert.equal((await redeem(started, { code })).status, 200);
    const ofPerson = db.selectFrom('audit_log').select('ip').where('user_id', '=', user.id);
    const issued = await ofPerson.where('action', '=', 'key.issued').execute();
    assert.deepEqual(
      issued.map(({ ip }) => ip),
      ['203.0.113.7'],
    );
  });

  test('a code is void after a minute, and when its user may no longer issue keys', async (t) => {
    const started = await start(t, open);
    const { db, accountId, userId } = started;
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const inTime = await allow(started);
    t.mock.timers.setTime(Date.now() + 59_999);
    assert.equal((await redeem(started, { code: inTime.code })).status, 200);
    const late = await allow(started);
    t.mock.timers.setTime(Date.now() + 60_000);
    assert.equal((await redeem(started, { code: late.code })).status, 400);
    t.mock.timers.reset();
    const removed = await allow(started);
    await db
      .transaction()
      .execute((trx) => removeUser(trx, accountId, { userId: removed.user.id, by: { userId, role: 'owner' } }));
    assert.equal((await redeem(started, { code: removed.code })).status, 400);
    const demoted = await allow(started);
    const by = { ...actor(userId), role: 'owner' } as const;
    const change = { role: 'editor', withKeys: false };
    await db.transaction().execute((trx) => changeMember(trx, accountId, demoted.user.id, change, by));
    assert.equal((await redeem(started, { code: demoted.code })).status, 400);
  });

  test('wrong codes count towards the limit for wrong keys', async (t) => {
    const started = await start(t, open, { FAILED_KEY_LIMIT: '1' });
    assert.equal((await redeem(started, { code: 'wrong' })).status, 400);
    const { status, headers } = await redeem(started, { code: 'wrong' });
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 0);
  });

  test('a program can register only with a plain name and safe redirect URIs', async (t) => {
    const { service } = await start(t, open);
    const register = (body: unknown) =>
      service.request('POST', '/oauth/register', {
        headers: { Host: 'localhost', 'Content-Type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    for (const uri of ['https://claude.ai/api/mcp/auth_callback', 'http://127.0.0.1:33418/', 'cursor://callback/x']) {
      const { status, json } = await register({ client_name: 'Claude', redirect_uris: [uri] });
      assert.equal(status, 201, uri);
      assert.deepEqual([json.token_endpoint_auth_method, json.redirect_uris], ['none', [uri]]);
    }
    for (const body of [
      {},
      { redirect_uris: 'https://claude.ai' },
      { redirect_uris: [] },
      { redirect_uris: Array(6).fill('https://claude.ai') },
      ...[
        'http://claude.ai/',
        'javascript:alert(1)',
        'data:text/html,x',
        'file:///etc',
        'https://a@b.example',
        '/x',
        7,
      ].map((uri) => ({ redirect_uris: [uri] })),
      { redirect_uris: [`https://claude.ai/${'x'.repeat(500)}`] },
      ...['x'.repeat(101), '\u202eedualC', '\ud800', 7, ''].map((client_name) => ({
        client_name,
        redirect_uris: ['https://claude.ai'],
      })),
    ]) {
      const { status, json } = await register(body);
      assert.deepEqual([status, json.error], [400, 'invalid_client_metadata'], JSON.stringify(body));
    }
    for (const body of ['', '{', '7', 'null']) assert.equal((await register(body)).status, 400, body);
    assert.equal((await register(`{"a":"${'x'.repeat(16 * 1024)}"}`)).status, 413);
  });

  test('discovery is served only on the host of PUBLIC_URL, and names no other host', async (t) => {
    const { service, db, accountId } = await start(t, open);
    const { subdomain } = await db
      .selectFrom('accounts')
      .select('subdomain')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const paths = [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
    ];
    for (const path of paths) {
      const reply = await service.request('GET', path, { headers: { Host: 'localhost' } });
      assert.equal(reply.status, 200, path);
      for (const url of reply.text.match(/http[^"]*/g)!) assert.ok(url.startsWith(PUBLIC_URL), url);
      assert.equal((await service.request('POST', path, { headers: { Host: 'localhost' } })).status, 405, path);
      for (const host of [`${subdomain}.localhost`, '127.0.0.1']) {
        assert.equal((await service.request('GET', path, { headers: { Host: host } })).status, 404, host);
      }
    }
    for (const path of ['/.well-known/oauth-nothing', '/oauth/nothing']) {
      assert.equal((await service.request('GET', path, { headers: { Host: 'localhost' } })).status, 404, path);
    }
    const { status, headers } = await service.request('POST', '/mcp', { headers: { Host: 'localhost' } });
    assert.equal(status, 401);
    assert.equal(
      headers['www-authenticate'],
      `Bearer realm="API", resource_metadata="${PUBLIC_URL}/.well-known/oauth-protected-resource/mcp"`,
    );
    const ofApi = await service.request('GET', '/api/account.json', { headers: { Host: 'localhost' } });
    assert.equal(ofApi.headers['www-authenticate'], 'Bearer realm="API"');
  });

  test('a token for another service, or by another grant type, is refused', async (t) => {
    const started = await start(t, open);
    const { code } = await allow(started);
    for (const [fields, error] of [
      [{ grant_type: 'refresh_token' }, 'unsupported_grant_type'],
      [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
      [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
    ] as const) {
      assert.deepEqual((await redeem(started, { code, ...fields })).json.error, error);
    }
    assert.equal((await redeem(started, { code, resource: `${PUBLIC_URL}/mcp` })).status, 200);
  });
});

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
