import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCliJson } from '../../../test/cli.ts';
import { onEachDatabase } from '../../../test/databases.ts';
import { makeAccount, makeCustomer } from '../../../test/factories.ts';
import { makeUser, PASSWORD, Person } from '../../../test/person.ts';
import { startWithAccount } from '../../../test/service.ts';
import { findSender } from '../../mail/find-sender.ts';

const HOST = 'app.acme.example';
const settings = { PUBLIC_URL: 'https://admin.example', TRUST_PROXY: 'loopback', SITES_DOMAIN: 'sites.example' };
const behind = (host: string) => ({ Host: host, Origin: `https://${host}`, 'X-Forwarded-Proto': 'https' });

onEachDatabase("an agency's own host for the admin app", (open) => {
  async function start(t: Parameters<typeof open>[0]) {
    const started = await startWithAccount(t, open, settings);
    const { service, db, accountId } = started;
    const signIn = async (id: number, host: string, role: 'owner' | 'editor' = 'owner') => {
      const { email } = await makeUser(db, id, { role });
      const person = new Person(service, undefined, behind(host));
      const { status } = await person.post('sign-in', { email, password: PASSWORD });
      return { person, status, email };
    };
    const { person: agency } = await signIn(accountId, 'admin.example');
    await agency.put('brand', { name: 'Acme' });
    const { id } = (await agency.post('domains', { host: HOST })).json;
    await db
      .transaction()
      .execute((trx) => trx.updateTable('domains').set({ verified_at: 1 }).where('id', '=', id).execute());
    const page = (host: string, path: string) =>
      service.request('GET', path, { headers: { ...behind(host), Accept: 'text/html' } });
    const use = (isApp: boolean) => agency.post(`domains/${id}/use`, { isApp });
    return { ...started, agency, domainId: id as number, signIn, page, use };
  }

  test("an agency's host serves the app to users of accounts below the agency, and to no others", async (t) => {
    const { service, accountId, db, domainId, signIn, page, use } = await start(t);
    const customer = await makeCustomer(db, accountId, 'bakery');
    const below = await makeCustomer(db, customer);
    const stranger = await makeCustomer(db, (await makeAccount(db)).accountId);
    assert.equal((await page(HOST, '/sign-in')).status, 404, 'the host serves the site');
    assert.deepEqual((await use(true)).outcome, [200, { before: null }]);

    const signInPage = await page(HOST, '/sign-in');
    assert.equal(signInPage.status, 200);
    assert.match(signInPage.text, / · Acme<\/title>/);
    assert.doesNotMatch(signInPage.text, /Freehold/);
    assert.equal((await page(HOST, '/')).headers.location, '/sign-in');
    for (const [id, expected] of [
      [customer, 200],
      [below, 200],
      [accountId, 401],
      [stranger, 401],
    ] as const) {
      const { person, status, email } = await signIn(id, HOST);
      assert.equal(status, expected);
      assert.equal((await person.get('session')).status, expected);
      // The service's own host goes on working for all accounts.
      const elsewhere = new Person(service, undefined, behind('admin.example'));
      assert.equal((await elsewhere.post('sign-in', { email, password: PASSWORD })).status, 200);
    }
    for (const path of ['/api/pages.json', '/api/docs', '/metrics', '/healthz']) {
      assert.equal((await service.request('GET', path, { headers: behind(HOST) })).status, 404, path);
    }
    assert.equal((await service.request('GET', '/-/theme.css', { headers: behind(HOST) })).status, 404);

    assert.deepEqual((await use(false)).outcome, [200, { before: domainId }]);
    assert.equal((await page(HOST, '/sign-in')).status, 404, 'the host serves the site again');
  });

  test("sessions and passkeys of an agency's host and of the service's host are separate", async (t) => {
    const { service, accountId, db, signIn, use } = await start(t);
    await use(true);
    const customer = await makeCustomer(db, accountId);
    const { person } = await signIn(customer, HOST);
    assert.match(person.cookie, /^__Host-session=/);
    const elsewhere = new Person(service, undefined, behind('admin.example'));
    elsewhere.cookie = person.cookie;
    assert.equal((await elsewhere.get('session')).status, 401);
    const { person: own } = await signIn(customer, 'admin.example');
    const moved = new Person(service, undefined, behind(HOST));
    moved.cookie = own.cookie;
    assert.equal((await moved.get('session')).status, 401);
    // The service's own host is another origin, from which requests are refused.
    const crossing = await person.post('sign-out', {}, { Origin: 'https://admin.example' });
    assert.deepEqual([crossing.status, crossing.json.error.code], [403, 'cross_site']);
    const rpId = async (host: string) =>
      (await new Person(service, undefined, behind(host)).post('passkeys/challenge')).json.rpId;
    assert.deepEqual([await rpId(HOST), await rpId('admin.example')], [HOST, 'admin.example']);
    const plain = await service.request('GET', '/pages?a=b', {
      headers: { Host: HOST, Accept: 'text/html', 'X-Forwarded-Proto': 'http' },
    });
    assert.deepEqual([plain.status, plain.headers.location], [302, `https://${HOST}/pages?a=b`]);
  });

  test('sessions of an agency’s host are invalid while the host belongs to another agency', async (t) => {
    const { accountId, db, agency, domainId, signIn, use } = await start(t);
    await use(true);
    const { person } = await signIn(await makeCustomer(db, accountId), HOST);
    const status = async () => (await person.get('session')).status;
    assert.equal(await status(), 200);

    await agency.delete(`domains/${domainId}`);
    const { person: other } = await signIn((await makeAccount(db)).accountId, 'admin.example');
    await other.put('brand', { name: 'Other' });
    const { id } = (await other.post('domains', { host: HOST })).json;
    await db
      .transaction()
      .execute((trx) => trx.updateTable('domains').set({ verified_at: 1 }).where('id', '=', id).execute());
    await other.post(`domains/${id}/use`, { isApp: true });
    assert.equal(await status(), 401);

    await other.delete(`domains/${id}`);
    assert.equal((await agency.post(`domains/${domainId}/restore`)).status, 204);
    assert.equal(await status(), 200, 'the host belongs to the first agency again');
  });

  test("requests for password links at an agency's host do not use up the limit at the service's own host", async (t) => {
    const { service, use } = await start(t);
    const email = 'olivia@example.com';
    await use(true);
    const ask = async (host: string, ip: string, account?: string) => {
      const person = new Person(service, undefined, { ...behind(host), 'X-Forwarded-For': ip });
      return (await person.post('forgotten-password', { email, account })).status;
    };
    for (const account of [undefined, 'agency']) {
      const statuses: number[] = [];
      for (let network = 0; network < 11; network++) statuses.push(await ask(HOST, `203.0.${network}.1`, account));
      assert.equal(statuses[10], 429);
      assert.equal(await ask('admin.example', '198.51.100.7', account), 204);
    }
  });

  test("links in messages to customers lead to the agency's host, which may get a certificate", async (t) => {
    const { service, accountId, db, agency, use } = await start(t);
    const customer = await makeCustomer(db, accountId, 'bakery');
    await use(true);
    assert.equal((await findSender(db, customer, 'invitation')).brand?.appHost, HOST);
    await agency.post(`customers/${customer}/instructions`, {});
    const { text } = await db.selectFrom('outbox').select('text').orderBy('id', 'desc').executeTakeFirstOrThrow();
    assert.match(text, new RegExp(`//${HOST}\\S*/reset-password\\?account=bakery#token=`));
    assert.match(text, new RegExp(`//${HOST}\\S*/sign-in\\?account=bakery`));
    const allowed = (domain: string) =>
      service.request('GET', `/internal/tls-allowed?domain=${domain}`, { headers: { Host: '127.0.0.1' } });
    assert.equal((await allowed(HOST)).status, 200);
    assert.equal((await allowed('other.acme.example')).status, 404);
    await use(false);
    assert.equal((await findSender(db, customer, 'invitation')).brand?.appHost, null);
  });

  test('only one domain serves the app; it needs a brand, a top-level account, and does not serve the site', async (t) => {
    const { agency, accountId, db, database, domainId, signIn, use } = await start(t);
    const { id: second } = (await agency.post('domains', { host: 'www.acme.example' })).json;
    await db.transaction().execute((trx) => trx.updateTable('domains').set({ verified_at: 1 }).execute());
    await use(true);
    const domains = async () => {
      const { domains } = (await agency.get('domains')).json;
      return domains.map(({ host, isApp, isPrimary }: Record<string, unknown>) => [host, isApp, isPrimary]);
    };
    assert.deepEqual(await domains(), [
      [HOST, true, false],
      ['www.acme.example', false, true],
    ]);
    assert.deepEqual((await agency.post(`domains/${second}/use`, { isApp: true })).json, { before: domainId });
    assert.deepEqual(await domains(), [
      [HOST, false, true],
      ['www.acme.example', true, false],
    ]);
    // A restored domain does not replace another one that serves the app.
    await agency.delete(`domains/${second}`);
    await use(true);
    await agency.post(`domains/${second}/restore`);
    assert.deepEqual(await domains(), [
      [HOST, true, false],
      ['www.acme.example', false, true],
    ]);
    const subdomain = (await agency.get('session')).json.account.subdomain;
    const args = ['domain', 'use', HOST, '--account', subdomain, '--for'];
    assert.equal((await runCliJson(database.config, ...args, 'site')).domain.is_app, false);
    const customer = await makeCustomer(db, accountId);
    const { person } = await signIn(customer, 'admin.example');
    await person.put('brand', { name: 'Bob' });
    const { id: own } = (await person.post('domains', { host: 'app.bob.example' })).json;
    const notTheirs = await person.post(`domains/${own}/use`, { isApp: true });
    assert.deepEqual([notTheirs.status, notTheirs.json.error.why], [409, { reason: 'not_top_level' }]);
    await agency.delete('brand');
    const refused = await use(true);
    assert.deepEqual([refused.status, refused.json.error.why], [409, { reason: 'no_brand' }]);
  });
});
