import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, type TestContext, test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { openTestDatabase } from '../../../test/databases.ts';
import { resolveRef, schemaChecker } from '../../../test/openapi-answers.ts';
import { bracketed, customerFields, type Reply, type Service, startWithAccount } from '../../../test/service.ts';

/** The document as a client receives it: plain JSON. */
// biome-ignore lint/suspicious/noExplicitAny: it is walked as the JSON it is.
type Json = any;

function start(t: TestContext, options: Readonly<Record<string, string>> = {}) {
  return startWithAccount(t, (inner) => openTestDatabase(inner, 'sqlite'), options);
}

async function startSuspended(t: TestContext) {
  const started = await start(t);
  await started.db.transaction().execute((trx) => trx.updateTable('accounts').set({ status: 'suspended' }).execute());
  return started;
}

async function documentOf(service: Service): Promise<Json> {
  return (await service.request('GET', '/api/openapi.json')).json;
}

describe('GET /api/openapi.json', () => {
  test('the OpenAPI document is valid OpenAPI 3.1', async (t) => {
    const { service } = await start(t);
    const document = await documentOf(service);
    const { valid, errors } = await new Validator().validate(document);
    assert.equal(valid, true, JSON.stringify(errors, null, 2));
    assert.equal(document.openapi, '3.1.0');
    assert.equal(document.info.version, JSON.parse(readFileSync('package.json', 'utf8')).version);
  });

  test('the OpenAPI document is public, cacheable and readable from any origin', async (t) => {
    const { service } = await start(t, { PUBLIC_URL: 'https://api.example.com/freehold/' });
    const first = await service.request('GET', '/api/openapi.json');
    assert.equal(first.status, 200);
    assert.equal(first.headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(first.headers['cache-control'], 'public, no-cache');
    assert.equal(first.headers['access-control-allow-origin'], '*');
    assert.deepEqual(first.json.servers, [{ url: 'https://api.example.com/freehold' }]);
    const etag = first.headers.etag!;
    const again = await service.request('GET', '/api/openapi.json', { headers: { 'If-None-Match': etag } });
    assert.equal(again.status, 304);
    const packed = await service.request('GET', '/api/openapi.json', { headers: { 'Accept-Encoding': 'gzip' } });
    assert.equal(packed.headers['content-encoding'], 'gzip');
    const posted = await service.request('POST', '/api/openapi.json');
    assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
  });

  test('the OpenAPI document has exactly the existing paths and methods', async (t) => {
    const { service, key } = await start(t);
    const { paths } = await documentOf(service);
    assert.deepEqual(Object.keys(paths).sort(), [
      '/api/account.json',
      '/api/customers.json',
      '/api/customers/{id}.json',
      '/api/customers/{id}/instructions.json',
      '/api/customers/{id}/restore.json',
      '/api/domains.json',
      '/api/domains/{id}.json',
      '/api/domains/{id}/restore.json',
      '/api/domains/{id}/verify.json',
      '/api/events.json',
      '/api/images.json',
      '/api/images/{id}.json',
      '/api/images/{id}/restore.json',
      '/api/keys.json',
      '/api/keys/{id}.json',
      '/api/keys/{id}/rotate.json',
      '/api/pages.json',
      '/api/pages/import.json',
      '/api/pages/{id}.json',
      '/api/pages/{id}/draft.json',
      '/api/pages/{id}/publish.json',
      '/api/pages/{id}/restore.json',
      '/api/pages/{id}/revisions.json',
      '/api/pages/{id}/undo.json',
      '/api/plans.json',
      '/api/plans/{id}.json',
      '/api/plans/{id}/price.json',
      '/api/price-changes.json',
      '/api/price-changes/{id}.json',
      '/api/redirects.json',
      '/api/redirects/{id}.json',
      '/api/revenue.csv',
      '/api/revenue.json',
      '/api/revenue/cohorts.json',
      '/api/revenue/customers.csv',
      '/api/revenue/customers.json',
      '/api/revenue/forecast.csv',
      '/api/revenue/forecast.json',
      '/api/revenue/forecast/changes.json',
      '/api/revenue/plans.json',
      '/api/revisions/{id}.json',
      '/api/revisions/{id}/restore.json',
      '/api/scheduled-changes.json',
      '/api/settings.json',
      '/api/users.json',
      '/api/users/{id}.json',
      '/api/users/{id}/invite.json',
      '/api/users/{id}/restore.json',
      '/api/webhooks.json',
      '/api/webhooks/{id}.json',
      '/api/webhooks/{id}/deliveries.json',
      '/api/webhooks/{id}/replay.json',
      '/api/webhooks/{id}/resend.json',
      '/api/webhooks/{id}/restore.json',
      '/api/webhooks/{id}/resume.json',
      '/api/webhooks/{id}/rotate.json',
      '/api/webhooks/{id}/test.json',
    ]);
    for (const [path, methods] of Object.entries<Json>(paths)) {
      const { status, headers } = await service.request('PUT', `${path.replace('{id}', '1')}?api_key=${key}`);
      assert.equal(status, 405);
      const allowed = headers.allow!.split(', ').filter((method) => method !== 'HEAD');
      assert.deepEqual(new Set(Object.keys(methods).map((method) => method.toUpperCase())), new Set(allowed));
    }
  });

  test('the OpenAPI document has every field as query parameter, in both kinds of forms and in JSON', async (t) => {
    const { service } = await start(t);
    const { paths, components } = await documentOf(service);
    const { parameters, requestBody } = paths['/api/customers.json'].post;
    const names = Object.keys(bracketed('customer', { ...customerFields(), skip_default_pages: '1' }));
    const inQuery = parameters.filter((parameter: Json) => parameter.in === 'query');
    assert.deepEqual(
      inQuery.map(({ name }: Json) => name),
      names,
    );
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data']) {
      assert.deepEqual(Object.keys(requestBody.content[type].schema.properties), names);
    }
    assert.deepEqual(Object.keys(components.schemas.Customer.properties), [
      ...Object.keys(customerFields()),
      'skip_default_pages',
    ]);
  });

  test('the OpenAPI document has X-Request-Id in every answer', async (t) => {
    const { service } = await start(t);
    const document = await documentOf(service);
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      for (const [method, { responses }] of Object.entries<Json>(methods)) {
        for (const [status, response] of Object.entries<Json>(responses)) {
          const { headers } = resolveRef(document, response);
          assert.ok(headers['X-Request-Id'], `${method} ${path} ${status}`);
        }
      }
    }
  });

  test('the examples of the OpenAPI document match its schemas', async (t) => {
    const { service } = await start(t);
    const document = await documentOf(service);
    const check = schemaChecker(document);
    for (const [path, methods] of Object.entries<Json>(document.paths)) {
      for (const [method, { requestBody, responses }] of Object.entries<Json>(methods)) {
        for (const [type, { schema, example }] of Object.entries<Json>(requestBody?.content ?? {})) {
          check(schema, example, `${method} ${path} ${type}`);
        }
        for (const status of Object.keys(responses)) {
          const { content } = resolveRef(document, responses[status]);
          for (const { schema, example } of Object.values<Json>(content ?? {})) check(schema, example, status);
        }
      }
    }
  });
});

describe('answers of the service and its OpenAPI document', () => {
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

  for (const [operation, path, object] of [
    ['createCustomer', '/api/customers.json', 'customer'],
    ['createPage', '/api/pages.json', 'page'],
  ] as const) {
    test(`${operation} succeeds and fails as the OpenAPI document says`, async (t) => {
      const { service, key } = await start(t, { RATE_LIMIT: '8' });
      const document = await documentOf(service);
      const { requestBody } = document.paths[path].post;
      const send = (body: string, headers: Record<string, string> = form) =>
        service.request('POST', path, { headers: { Authorization: `Bearer ${key}`, ...headers }, body });
      const expect = expectAnswer(document, path, 'post');

      const { example } = requestBody.content['application/json'];
      expect(200, await send(JSON.stringify(example), { 'Content-Type': 'application/json' }), true);
      expect(400, await send('nothing=here'), true);
      // The mistake of the documented example.
      const mistaken =
        object === 'customer'
          ? { ...example.customer, user_password_confirmation: 'something else' }
          : { ...example.page, parent_id: 'page_999' };
      expect(422, await send(new URLSearchParams(bracketed(object, mistaken)).toString()), true);
      expect(422, await send(new URLSearchParams(bracketed(object, { body_format: 'x' })).toString()));
      expect(413, await send('x'.repeat(20 * 1024 * 1024 + 1)), true);
      expect(401, await service.request('POST', path), true);
      expect(414, await service.request('POST', `${path}?x=${'x'.repeat(1088 * 1024)}`), true);
      expect(431, await service.request('POST', `${path}?x=${'x'.repeat(2 * 1024 * 1024)}`), true);
      for (let count = 0; count < 3; count += 1) await send('');
      expect(429, await send(''), true);
      const other = await startSuspended(t);
      expect(403, await other.service.request('POST', `${path}?api_key=${other.key}`), true);
    });
  }

  for (const path of ['/api/pages.json', '/api/account.json']) {
    test(`GET ${path} succeeds and fails as the OpenAPI document says`, async (t) => {
      const { service, key } = await start(t, { RATE_LIMIT: '4' });
      const expect = expectAnswer(await documentOf(service), path, 'get');
      await service.createPage(key, { name: 'Parent' });
      await service.createPage(key, { name: 'Child', parent_id: 'page_1', description: 'x', is_hidden: '1' });

      const first = await service.get(path, key);
      expect(200, first);
      if (path === '/api/account.json') {
        const past = await start(t, { RATE_LIMIT: '9' });
        expect(200, await past.service.get(path, `${past.key}&as_of=2026-06-30`));
        expect(400, await past.service.get(path, `${past.key}&as_of=today`), true);
        expect(422, await past.service.get(path, `${past.key}&as_of=2199-01-01`), true);
      }
      if (path === '/api/pages.json') {
        const parts = await start(t, { RATE_LIMIT: '9' });
        await parts.service.createPage(parts.key, { name: 'Parent' });
        await parts.service.createPage(parts.key, { name: 'Child', parent_id: 'page_1' });
        expect(200, await parts.service.get(path, `${parts.key}&fields=id,name`));
        expect(200, await parts.service.get(path, `${parts.key}&depth=1`));
        expect(200, await parts.service.get(path, `${parts.key}&since=1`));
        await parts.db
          .transaction()
          .execute((trx) => trx.updateTable('accounts').set({ changes_known_from: 58 }).execute());
        expect(410, await parts.service.get(path, `${parts.key}&since=57`), true);
        expect(400, await parts.service.get(path, `${parts.key}&depth=0`), true);
      }
      expect(304, await service.get(path, key, { 'If-None-Match': first.headers.etag! }));
      expect(401, await service.request('GET', path), true);
      expect(429, await service.get(path, key), true);
      const other = await startSuspended(t);
      expect(403, await other.service.get(path, other.key), true);
    });
  }

  test('the operations on one page succeed and fail as the OpenAPI document says', async (t) => {
    const { service, key } = await start(t, { RATE_LIMIT: '99' });
    const document = await documentOf(service);
    await service.createPage(key, { name: 'Opening hours', description: 'x' });
    const [page] = await service.pages(key);
    const send = (method: string, end: string, headers: Record<string, string> = {}, body = '') =>
      service.request(method, `/api/pages/${end}`, { headers: { Authorization: `Bearer ${key}`, ...headers }, body });
    const expectOf = (method: string, end = '.json') => expectAnswer(document, `/api/pages/{id}${end}`, method);
    const one = `${page!.id}.json`;
    const old = { 'If-Match': 'W/"0-x"' };
    const { example } = document.paths['/api/pages/{id}.json'].patch.requestBody.content['application/json'];

    const first = await send('GET', one);
    expectOf('get')(200, first);
    expectOf('get')(304, await send('GET', one, { 'If-None-Match': first.headers.etag! }));
    expectOf('get')(404, await send('GET', 'page_999.json'), true);

    const change = (end: string, text: string, headers = {}) => send('PATCH', end, { ...form, ...headers }, text);
    expectOf('patch')(
      200,
      await send('PATCH', one, { 'Content-Type': 'application/json' }, JSON.stringify(example)),
      true,
    );
    expectOf('patch')(400, await change(one, 'page[name]=x&page[name]=y'), true);
    expectOf('patch')(400, await change(one, 'nothing=here'));
    expectOf('patch')(404, await change('page_999.json', 'page[name]=x'), true);
    expectOf('patch')(412, await change(one, 'page[name]=x', old));
    expectOf('patch')(422, await change(one, 'page[parent_id]=page_999'), true);

    expectOf('delete')(404, await send('DELETE', 'page_999.json'), true);
    expectOf('delete')(412, await send('DELETE', one, old));
    expectOf('delete')(200, await send('DELETE', one), true);
    const back = `${page!.id}/restore.json`;
    expectOf('post', '/restore.json')(200, await send('POST', back), true);
    expectOf('post', '/restore.json')(404, await send('POST', back), true);
    const undo = `${page!.id}/undo.json`;
    expectOf('post', '/undo.json')(412, await send('POST', undo, old));
    expectOf('post', '/undo.json')(200, await send('POST', undo), true);
    expectOf('post', '/undo.json')(404, await send('POST', undo), true);
  });
});

/** Returns a function that checks an answer against the document. With `literally`, the answer must equal the example. */
function expectAnswer(document: Json, path: string, method: string) {
  const check = schemaChecker(document);
  return (status: number, reply: Reply, literally = false) => {
    assert.equal(reply.status, status, reply.text);
    const response = resolveRef(document, document.paths[path][method].responses[status]);
    for (const name of Object.keys(response.headers)) {
      assert.ok(reply.headers[name.toLowerCase()] !== undefined, `${status} has ${name}`);
    }
    if (!response.content) return assert.equal(reply.text, '');
    const { schema, example } = response.content['application/json'];
    check(schema, reply.json, `${method} ${path} ${status}`);
    if (literally) assert.deepEqual(reply.json, example);
  };
}
