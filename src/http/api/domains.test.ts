import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { onEachDatabase, type TestDatabase } from '../../../test/databases.ts';
import { startDnsServer } from '../../../test/dns-server.ts';
import { makeAccount } from '../../../test/factories.ts';
import { startWithAccount } from '../../../test/service.ts';

const done = { response: true, errors: [] };
const missing = { response: false, errors: 'The domain does not exist.' };

onEachDatabase('domains over the API', (open) => {
  test('a domain can be added, verified, removed and restored', async (t) => {
    const { dns, add, send, list } = await setUp(t, open);
    const { json } = await add('WWW.Example.com');
    const { id, host, is_primary, verified_at, problems, records } = json.domain;
    assert.deepEqual(
      { host, is_primary, verified_at, problems },
      { host: 'www.example.com', is_primary: false, verified_at: null, problems: [] },
    );
    assert.deepEqual(await list(), [json.domain]);
    const early = await send('POST', `/${id}/verify.json`);
    assert.equal(early.json.domain.verified_at, null);
    assert.ok(early.json.domain.problems.includes('There is no TXT record at _website.www.example.com.'));

    const [txt] = records;
    dns.set(txt.name, 'TXT', txt.value);
    const verified = (await send('POST', `/${id}/verify.json?domain[may_lead_elsewhere]=yes`)).json.domain;
    assert.match(verified.verified_at, /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.equal(verified.is_primary, true);
    assert.deepEqual((await send('GET', `/${id}.json`)).json, { domain: verified });
    assert.deepEqual((await send('DELETE', `/${id}.json`)).json, done);
    assert.deepEqual(await list(), []);
    assert.deepEqual((await send('POST', `/${id}/restore.json`)).json, done);
    assert.equal((await list())[0].verified_at, verified.verified_at);
    const { errors } = (await send('POST', `/${id}/restore.json`)).json;
    assert.equal(errors, 'The removed domain does not exist.');
  });

  test('invalid and existing domains are refused, and unknown ids are not found', async (t) => {
    const { add, send, list } = await setUp(t, open);
    await add('example.com');
    for (const [host, message] of [
      ['', "can't be blank"],
      ['192.0.2.1', 'is an IP address, not a name'],
      ['example.com', 'has already been added'],
      ['shop.localhost', 'belongs to this installation'],
    ] as const) {
      const { status, json } = await add(host);
      assert.deepEqual([host, status, json.errors[0]], [host, 422, ['host', message]]);
    }
    for (const [method, path] of [
      ['GET', '/domain_999999.json'],
      ['DELETE', '/domain_999999.json'],
      ['POST', '/domain_999999/verify.json?domain[may_lead_elsewhere]=1'],
      ['GET', '/page_1.json'],
    ] as const) {
      const { status, json } = await send(method, path);
      assert.deepEqual([status, json], [404, missing], `${method} ${path}`);
    }
    assert.equal((await list()).length, 1);
  });

  test('a verification whose key is revoked during the DNS queries changes nothing', async (t) => {
    const { db, dns, accountId, add, send } = await setUp(t, open);
    const { id, records } = (await add('www.example.com')).json.domain;
    dns.set(records[0].name, 'TXT', records[0].value);
    const before = await db.selectFrom('domains').selectAll().execute();
    let revoking: Promise<unknown> | undefined;
    dns.onQuestion = async () => {
      revoking ??= db
        .transaction()
        .execute((trx) =>
          trx.updateTable('api_keys').set({ revoked_at: 1 }).where('account_id', '=', accountId).execute(),
        );
      await revoking;
    };
    assert.equal((await send('POST', `/${id}/verify.json?domain[may_lead_elsewhere]=yes`)).status, 401);
    assert.deepEqual(await db.selectFrom('domains').selectAll().execute(), before);
  });

  test("another account's domains are not found", async (t) => {
    const { db, service, add, send } = await setUp(t, open);
    const { id } = (await add('example.com')).json.domain;
    const other = await makeAccount(db);
    assert.deepEqual((await service.get('/api/domains.json', other.key)).json, { domains: [] });
    for (const [method, path] of [
      ['GET', `/${id}.json`],
      ['DELETE', `/${id}.json`],
      ['POST', `/${id}/verify.json?domain[may_lead_elsewhere]=1`],
    ] as const) {
      assert.deepEqual((await send(method, path, other.key)).json, missing, method);
    }
  });
});

async function setUp(t: TestContext, open: (t: TestContext) => Promise<TestDatabase>) {
  const dns = await startDnsServer(t);
  const started = await startWithAccount(t, open, { DNS_SERVERS: dns.address });
  const { service, key } = started;
  const send = (method: string, path: string, by = key) =>
    service.request(method, `/api/domains${path}`.replaceAll('[', '%5B').replaceAll(']', '%5D'), {
      headers: { Authorization: `Bearer ${by}` },
    });
  const add = (host: string) => service.post('/api/domains.json', key, { 'domain[host]': host });
  const list = async () => (await service.get('/api/domains.json', key)).json.domains;
  return { ...started, dns, send, add, list };
}
