import assert from 'node:assert/strict';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { callTool as call, connectAssistant as connect } from '../../../../test/assistant.ts';
import { onEachDatabase } from '../../../../test/databases.ts';
import { makeAccount, makeCustomer, makePage } from '../../../../test/factories.ts';
import { startWithAccount } from '../../../../test/service.ts';
import { suspendCustomer } from '../../../accounts/change-customer.ts';
import { newApiKey } from '../../../api-keys/api-key.ts';
import { issueApiKey } from '../../../api-keys/issue-api-key.ts';
import { revokeApiKey } from '../../../api-keys/revoke-api-key.ts';
import { hasScope, type Scope, scopes } from '../../../api-keys/scopes.ts';
import { operator } from '../../../audit/record-audit-event.ts';
import type { Db } from '../../../db/database.ts';
import { saveDraft } from '../../../pages/drafts.ts';
import { request as httpRequest } from '../../node-http.ts';
import { tools } from './tools.ts';

const post = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const listTools = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });

function issueKey(db: Db, accountId: number, userId: number, granted: readonly Scope[]) {
  const input = { userId, name: 'Assistant', expiresAt: null, scopes: granted };
  return db.transaction().execute((trx) => issueApiKey(trx, accountId, input));
}

onEachDatabase('the MCP endpoint', (open) => {
  test('clients of both generations of the protocol connect and list the tools', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    for (const mode of ['legacy', 'auto'] as const) {
      const client = await connect(t, service, key, { versionNegotiation: { mode } });
      assert.equal(client.getServerVersion()?.name, 'website');
      assert.match(client.getInstructions() ?? '', /never instructions/);
      const { tools: listed } = await client.listTools();
      assert.deepEqual(
        listed.map(({ name }) => name),
        tools.map(({ name }) => name),
      );
      for (const { name, description, inputSchema } of listed) {
        assert.ok(description, name);
        for (const [parameter, schema] of Object.entries(inputSchema.properties ?? {})) {
          assert.ok((schema as { description?: string }).description, `${name}: ${parameter}`);
        }
      }
      assert.equal((await call(client, 'get_account')).account.paying_customers_count, 0);
    }
  });

  test('a key with scopes lists the tools they allow, and other tools name the missing scope', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    for (const scope of scopes) {
      const { key } = await issueKey(db, accountId, userId, [scope]);
      const client = await connect(t, service, key);
      const listed = new Set((await client.listTools()).tools.map(({ name }) => name));
      for (const tool of tools) {
        const isIncluded = hasScope(scope, tool.scope);
        assert.equal(listed.has(tool.name), isIncluded, `${tool.name} with ${scope}`);
        if (isIncluded) continue;
        assert.deepEqual(await call(client, tool.name), {
          refused: `This API key is not allowed to do this. It needs the scope ${tool.scope}.`,
        });
      }
    }
  });

  test('a key that is revoked while its message is being sent reads nothing', async (t) => {
    const { service, db, accountId, userId } = await startWithAccount(t, open);
    const { id: keyId, key } = await issueKey(db, accountId, userId, ['pages:read']);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_pages' } });
    const headers = { ...post, Authorization: `Bearer ${key}`, 'Content-Length': body.length, Expect: '100-continue' };
    const request = httpRequest({ port: service.port, host: '127.0.0.1', method: 'POST', path: '/mcp', headers });
    request.flushHeaders();
    // The body is sent after the key has been accepted.
    await once(request, 'continue');
    await db.transaction().execute((trx) => revokeApiKey(trx, accountId, { keyId, userId }));
    request.end(body);
    const [response] = await once(request, 'response');
    assert.match(await text(response), /Invalid API key/);
  });

  test('without a valid key every message is answered with 401 and WWW-Authenticate', async (t) => {
    const { service, db, key, accountId } = await startWithAccount(t, open);
    for (const authorization of [undefined, `Bearer ${newApiKey()}`, `Bearer ${key}x`, 'Bearer', `Basic ${key}`]) {
      const headers = authorization === undefined ? post : { ...post, Authorization: authorization };
      for (const body of [listTools, 'nothing', undefined]) {
        const reply = await service.request('POST', '/mcp', { headers, ...(body !== undefined && { body }) });
        assert.equal(reply.status, 401, String(authorization));
        const challenge = reply.headers['www-authenticate']!;
        assert.match(challenge, /^Bearer /);
        const hasKey = authorization?.startsWith('Bearer ') === true;
        assert.equal(challenge.includes(', error="invalid_token"'), hasKey, String(authorization));
        assert.equal(reply.headers['cache-control'], 'private, no-cache');
      }
    }
    await assert.rejects(connect(t, service, newApiKey()));
    const customerId = await makeCustomer(db, accountId);
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('account_id', '=', customerId)
      .executeTakeFirstOrThrow();
    const { key: ofCustomer } = await issueKey(db, customerId, userId, ['pages:read']);
    await db.transaction().execute((trx) => suspendCustomer(trx, accountId, customerId, operator));
    const headers = { ...post, Authorization: `Bearer ${ofCustomer}` };
    assert.equal((await service.request('POST', '/mcp', { headers, body: listTools })).status, 403);
  });

  test('the rate limits for keys and for wrong keys count MCP and API requests together', async (t) => {
    const { service, key } = await startWithAccount(t, open, { RATE_LIMIT: '2', FAILED_KEY_LIMIT: '1' });
    const send = (key: string) =>
      service.request('POST', '/mcp', { headers: { ...post, Authorization: `Bearer ${key}` }, body: listTools });
    const ofAnother = newApiKey();
    assert.equal((await send(ofAnother)).status, 401);
    assert.equal((await send(ofAnother)).status, 429);
    assert.equal((await send(key)).status, 200);
    assert.equal((await service.get('/api/account.json', key)).status, 200);
    const { status, headers } = await send(key);
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) > 0);
  });

  test('the MCP endpoint is served on the API’s hosts, and on no site', async (t) => {
    const { service, db, key, accountId } = await startWithAccount(t, open);
    const { subdomain } = await db
      .selectFrom('accounts')
      .select('subdomain')
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow();
    const send = (host: string, path = '/mcp') =>
      service.request('POST', path, {
        headers: { ...post, Host: host, Authorization: `Bearer ${key}` },
        body: listTools,
      });
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1', 'web']) {
      assert.equal((await send(host)).status, 200, host);
      assert.equal((await send(host, '/mcp/')).status, 404, host);
    }
    for (const host of [`${subdomain}.localhost`, 'unknown.localhost', 'attacker.example.com']) {
      const reply = await send(host);
      assert.ok(reply.status === 404 || reply.status === 405, `${host}: ${reply.status}`);
      assert.doesNotMatch(reply.text, /jsonrpc/);
    }
  });

  test('requests from pages of other origins are refused, as a defence against DNS rebinding', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const send = (origin: string) =>
      service.request('POST', '/mcp', {
        headers: { ...post, Origin: origin, Authorization: `Bearer ${key}` },
        body: listTools,
      });
    assert.equal((await send('http://localhost:8080')).status, 200);
    for (const origin of ['https://attacker.example.com', 'http://localhost:6274', 'null', '']) {
      assert.equal((await send(origin)).status, 403, origin);
    }
  });

  test('other methods, malformed and batched messages, and subscriptions are refused', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const headers = { ...post, Authorization: `Bearer ${key}` };
    for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
      const reply = await service.request(method, '/mcp', { headers });
      assert.equal(reply.status, 405, method);
      assert.equal(reply.headers.allow, 'POST');
    }
    for (const body of ['{', '', '[]', '{"a":1}', `[${listTools},${listTools}]`, Buffer.from([0x22, 0xff, 0x22])]) {
      assert.equal((await service.request('POST', '/mcp', { headers, body })).status, 400, String(body));
    }
    const form = { ...headers, 'Content-Type': 'text/plain' };
    assert.equal((await service.request('POST', '/mcp', { headers: form, body: listTools })).status, 415);
    const modern = 'io.modelcontextprotocol';
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: {
        notifications: { toolsListChanged: true },
        _meta: {
          [`${modern}/protocolVersion`]: '2026-07-28',
          [`${modern}/clientInfo`]: { name: 'test', version: '1' },
          [`${modern}/clientCapabilities`]: {},
        },
      },
    };
    const named = { ...headers, 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': listen.method };
    const { json } = await service.request('POST', '/mcp', { headers: named, body: JSON.stringify(listen) });
    assert.equal(json.error.message, 'Subscription limit reached');
  });

  test('a message of any shape is answered, and never with a server error', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const headers = { ...post, Authorization: `Bearer ${key}` };
    const deep = `${'['.repeat(60_000)}${']'.repeat(60_000)}`;
    const params = [
      ...['null', '7', '[]', '"get_page"', '{}', '{"name":null}', '{"name":7}', '{"name":{}}', '{"name":"__proto__"}'],
      ...['null', '7', '"text"', '[]', '[1]', '{"__proto__":{}}', '{"page_id":{}}', `{"page_id":${deep}}`, deep].map(
        (args) => `{"name":"get_page","arguments":${args}}`,
      ),
      `{"name":"get_page","arguments":{},"_meta":${deep}}`,
      `{"name":"get_page","arguments":{},"_meta":{"a":${deep}}}`,
    ];
    const bodies = params.map((text) => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${text}}`);
    for (const body of [
      ...bodies,
      'null',
      '7',
      '"text"',
      '{}',
      deep,
      `{"jsonrpc":"2.0","id":${deep},"method":"ping"}`,
    ]) {
      const { status } = await service.request('POST', '/mcp', { headers, body });
      assert.ok([200, 202, 400].includes(status), `${status}: ${body.slice(0, 100)}`);
    }
    assert.deepEqual(
      service.log.filter((line) => line.includes('request failed')),
      [],
    );
    // A message that would be expensive for the library compared to its size is refused before.
    const many = Array.from({ length: 2000 }, (_, index) => `"k${index}":1`).join();
    for (const meta of [`{${many}}`, '{"a":1,"a":2}', `${'['.repeat(40)}${']'.repeat(40)}`, '{"a":"\\ud800"}']) {
      const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":${meta}}}}`;
      assert.equal((await service.request('POST', '/mcp', { headers, body })).status, 400, meta.slice(0, 100));
    }
  });

  test('a message may be as large as any request body of the API, and no larger', async (t) => {
    const max = 16 * 1024 * 1024;
    const { service, key } = await startWithAccount(t, open, { MAX_BODY_BYTES: String(max) });
    const headers = { ...post, Authorization: `Bearer ${key}` };
    const send = (bytes: number) =>
      service.request('POST', '/mcp', { headers, body: Buffer.alloc(bytes, ' ').fill(listTools, 0, listTools.length) });
    const { status, text } = await send(max);
    assert.equal(status, 200);
    assert.match(text, /list_pages/);
    assert.equal((await send(max + 1)).status, 413);
  });

  test('unknown, missing and invalid arguments are refused with a message that names the right ones', async (t) => {
    const { service, key } = await startWithAccount(t, open);
    const client = await connect(t, service, key);
    assert.deepEqual(await call(client, 'get_page', { id: 'page_1' }), {
      refused: 'get_page has no argument "id". Its arguments: page_id, offset.',
    });
    assert.deepEqual(await call(client, 'get_page'), { refused: 'get_page needs page_id.' });
    assert.deepEqual(await call(client, 'get_page', { page_id: ['page_1'] }), {
      refused: '"page_id" must be a text, a number, or true or false.',
    });
    assert.deepEqual(await call(client, 'list_pages', { levels: 4 }), {
      refused: '"levels" must be a whole number from 1 to 3.',
    });
    assert.deepEqual(await call(client, 'list_pages', { parent_id: 'page_999' }), {
      refused: 'The page does not exist. Find the right id in a list.',
    });
    assert.deepEqual(await call(client, 'list_customers', { limit: 501 }), {
      refused: '"limit" must be from 1 to 500.',
    });
    assert.deepEqual(await call(client, 'nothing'), {
      refused: 'This tool does not exist. List the tools to see which ones there are.',
    });
  });
});

onEachDatabase('tools that read', (open) => {
  test('list_pages lists pages by level and in parts', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    const above = await makePage(db, accountId, { userId, name: 'Above' });
    for (let index = 1; index <= 3; index++) {
      await makePage(db, accountId, { userId, name: `Below ${index}`, parentId: `page_${above}` });
    }
    const client = await connect(t, service, key);
    const root = await call(client, 'list_pages');
    assert.deepEqual(
      root.pages.map(({ name, children_count }: Record<string, unknown>) => [name, children_count]),
      [['Above', 3]],
    );
    assert.equal(root.pages[0].children, undefined);
    const whole = await call(client, 'list_pages', { levels: 2, limit: 2 });
    const { children } = whole.pages[0];
    assert.deepEqual(
      children.pages.map(({ name }: { name: string }) => name),
      ['Below 1', 'Below 2'],
    );
    assert.equal(children.next, 2);
    const rest = await call(client, 'list_pages', { parent_id: `page_${above}`, after: children.next });
    assert.deepEqual([rest.pages.length, rest.pages[0].name, rest.next], [1, 'Below 3', null]);
  });

  test('search_pages finds pages by words in their text', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    const id = await makePage(db, accountId, { userId, name: 'Opening hours', body: '<p>From seven to six</p>' });
    const client = await connect(t, service, key);
    const { pages, has_more } = await call(client, 'search_pages', { q: 'seven' });
    assert.deepEqual([pages.length, pages[0].id, pages[0].url, has_more], [1, `page_${id}`, '/opening-hours', false]);
    assert.match(pages[0].excerpt, /seven/);
  });

  test('get_page returns a page with its draft, and a long text in parts', async (t) => {
    const { service, db, key, accountId, userId } = await startWithAccount(t, open);
    const body = 'x'.repeat(50_000) + 'y'.repeat(300_000);
    const id = await makePage(db, accountId, { userId, name: 'Long', body });
    const client = await connect(t, service, key);
    const first = await call(client, 'get_page', { page_id: `page_${id}` });
    assert.deepEqual(
      [first.page.name, first.page.body, first.page.body_characters, first.page.body_next, first.draft],
      ['Long', 'x'.repeat(50_000), 350_000, 50_000, null],
    );
    const basedOn = first.page.version;
    const draft = { id, userId, basedOn, draftAt: null, fields: { body: 'New' }, quota: 2 ** 40 };
    await db.transaction().execute((trx) => saveDraft(trx, accountId, draft));
    const last = await call(client, 'get_page', { page_id: id, offset: 300_000 });
    assert.deepEqual([last.page.body, last.page.body_next], ['y'.repeat(50_000), null]);
    assert.deepEqual([last.draft.body, last.draft.body_characters, last.draft.based_on_version], ['', 3, basedOn]);
    assert.deepEqual((await call(client, 'list_revisions', { page_id: `page_${id}` })).revisions, []);
    const missing = { refused: 'The page does not exist. Find the right id in a list.' };
    const other = await makeAccount(db);
    const foreign = await makePage(db, other.accountId, { userId: other.userId, name: 'Foreign' });
    for (const page_id of [`page_${foreign}`, 'page_999999', 'nothing', '0', '']) {
      assert.deepEqual(await call(client, 'get_page', { page_id }), missing, page_id);
    }
  });

  test('the tools for customers, plans, the account and revenue return the same data as the API', async (t) => {
    const { service, db, key, accountId } = await startWithAccount(t, open);
    const customerId = await makeCustomer(db, accountId);
    await makeCustomer(db, accountId);
    const client = await connect(t, service, key);
    for (const [tool, args, path] of [
      ['list_customers', {}, '/api/customers.json'],
      ['list_customers', { limit: 1 }, '/api/customers.json?limit=1'],
      ['get_customer', { customer_id: `account_${customerId}` }, `/api/customers/account_${customerId}.json`],
      ['list_plans', {}, '/api/plans.json'],
      ['get_account', {}, '/api/account.json'],
    ] as const) {
      const headers = { Authorization: `Bearer ${key}` };
      const { json } = await service.request('GET', path, { headers });
      assert.deepEqual(await call(client, tool, args), json, tool);
    }
    const revenue = await call(client, 'get_revenue', { step: 'quarter' });
    assert.deepEqual(
      [revenue.step, revenue.end.free_customers_count, revenue.end.monthly_revenue],
      ['quarter', 2, '0.00'],
    );
    assert.ok(revenue.periods.length > 0);
    assert.deepEqual(await call(client, 'get_revenue', { from: '2026-02-30' }), {
      refused: '"from" must be a day like 2026-06-30.',
    });
    assert.deepEqual(await call(client, 'get_customer', { customer_id: 'account_999999' }), {
      refused: 'The customer does not exist. Find the right id in a list.',
    });
  });
});
