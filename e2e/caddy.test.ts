import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { runCliJson } from '../test/cli.ts';
import { environmentOf, makeEmptyDatabase } from '../test/databases.ts';
import { startDnsServer } from '../test/dns-server.ts';
import { NO_SETTINGS_FILE } from '../test/start-flags.ts';
import { areInstalled, startCaddy } from './caddy.ts';
import { pagePath } from './load.ts';
import { type Program, startProgram } from './program.ts';

const API = 'api.agency.example';
const SITES = 'sites.agency.example';
const settings = { PUBLIC_URL: `https://${API}`, SITES_DOMAIN: SITES, TRUST_PROXY: 'loopback' };

test('the service works behind Caddy with the shipped Caddyfile', async (t) => {
  if (!(await areInstalled('caddy'))) return t.skip('there is no caddy on the path');
  const database = await makeEmptyDatabase(t, 'sqlite');
  const dns = await startDnsServer(t);
  const program = await startProgram(t, database, settings);
  const caddy = await startOwnCaddy(t, program);

  await t.test('Caddy serves the API over HTTPS, even with long URLs', async () => {
    const account = await caddy.https(API, `/api/account.json?api_key=${program.key}`);
    assert.equal(account.status, 200, account.body);
    assert.equal(JSON.parse(account.body).account.url, `https://agency.${SITES}`);
    assert.equal(account.names, `DNS:${API}`);
    const html = 'x'.repeat(1024 * 1024);
    const query = new URLSearchParams({ api_key: program.key, 'page[name]': 'Long', 'page[body]': html });
    const created = await caddy.https(API, `/api/pages.json?${query}`, { method: 'POST' });
    assert.deepEqual([created.status, created.body], [200, '{"response":true,"errors":[]}']);
    const compressed = await caddy.https(API, `/api/pages.json?api_key=${program.key}`, {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    assert.equal(compressed.headers['content-encoding'], 'gzip');
    // Some clients, such as curl, cannot send a URL of this length in HTTP/2.
    assert.equal(await caddy.protocolOf(API), 'http/1.1');
    assert.equal(await caddy.protocolOf(`agency.${SITES}`), 'h2');
  });

  await t.test('Caddy passes on no address or protocol that a client claims', async () => {
    const claims = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'http', 'X-Request-Id': 'claimed' };
    assert.equal((await caddy.https(API, `/api/account.json?api_key=${program.key}`, { headers: claims })).status, 200);
    await program.until(({ out }) => out.includes('"requestId":"claimed"'));
    assert.doesNotMatch(program.out, /203\.0\.113\.9/);
  });

  await t.test('Caddy answers 404 for paths that only the machine itself may use', async () => {
    for (const path of ['/internal/tls-allowed?domain=agency.sites.agency.example', '/metrics']) {
      assert.equal((await caddy.https(API, path)).status, 404, path);
    }
  });

  await t.test('Caddy has a certificate for a site, and none for an unknown host', async () => {
    assert.equal((await caddy.https(`agency.${SITES}`, '/')).names, `DNS:agency.${SITES}`);
    for (const host of [`nobody.${SITES}`, SITES, 'www.bakery.example', 'localhost']) {
      await assert.rejects(caddy.https(host, '/'), /SSL alert|ECONNRESET|socket/, host);
    }
  });

  await t.test('an account’s own domain gets a certificate once it is verified', async () => {
    const config = { ...database };
    const environment = { ...environmentOf(config), ...settings, DNS_SERVERS: dns.address };
    const { domain } = await runCliJson(config, 'domain', 'add', 'www.bakery.example', '--account', 'agency');
    assert.equal(domain.status, 'added');
    await assert.rejects(caddy.https('www.bakery.example', '/'));
    dns.set(domain.records[0].name, 'TXT', domain.records[0].value);
    const verify = [
      'src/cli/main.js',
      NO_SETTINGS_FILE,
      'domain',
      'verify',
      'www.bakery.example',
      '--account',
      'agency',
    ];
    const env = { PATH: process.env.PATH, ...environment };
    await promisify(execFile)(process.execPath, verify, { env, cwd: join(import.meta.dirname, '..') });
    assert.equal((await caddy.https('www.bakery.example', '/')).names, 'DNS:www.bakery.example');
  });

  await t.test('the app of an agency’s customers is served at the agency’s host, with a certificate', async () => {
    await runCliJson(database, 'brand', 'change', 'agency', '--name', 'Acme');
    await runCliJson(database, 'domain', 'use', 'www.bakery.example', '--account', 'agency', '--for', 'app');
    const page = await caddy.https('www.bakery.example', '/sign-in', { headers: { Accept: 'text/html' } });
    assert.deepEqual([page.status, page.names], [200, 'DNS:www.bakery.example']);
    assert.match(page.body, / · Acme<\/title>/);
    const call = await caddy.https('www.bakery.example', `/api/account.json?api_key=${program.key}`);
    assert.equal(call.status, 404);
  });

  await t.test('plain HTTP redirects visitors to HTTPS, and the API refuses it', async () => {
    const visit = await caddy.http(`agency.${SITES}`, '/a/b?c=d');
    assert.deepEqual([visit.status, visit.headers.location], [308, `https://agency.${SITES}/a/b?c=d`]);
    const call = await caddy.http(API, `/api/account.json?api_key=${program.key}`);
    assert.equal(call.status, 403);
    assert.match(call.body, /sent in the clear/);
    const person = await caddy.http(API, '/sign-in?account=agency');
    assert.deepEqual([person.status, person.headers.location], [302, `https://${API}/sign-in?account=agency`]);
  });
});

test('Caddy holds requests back while the service restarts, and then gets their answers', async (t) => {
  if (!(await areInstalled('caddy'))) return t.skip('there is no caddy on the path');
  const database = await makeEmptyDatabase(t, 'sqlite');
  const first = await startProgram(t, database, settings);
  const caddy = await startOwnCaddy(t, first);
  const { key, port } = first;
  assert.equal((await caddy.https(API, `/api/account.json?api_key=${key}`)).status, 200);
  await first.stop();
  const waiting = [
    caddy.https(API, `/api/account.json?api_key=${key}`),
    caddy.https(API, pagePath(key, 'Waited'), { method: 'POST' }),
  ];
  const second = await startProgram(t, database, { ...settings, PORT: String(port) });
  assert.deepEqual(
    (await Promise.all(waiting)).map(({ status }) => status),
    [200, 200],
  );
  assert.equal(
    (await second.service.get('/api/pages.json', key, { 'X-Forwarded-Proto': 'https' })).json.pages.length,
    1,
  );
});

/** Starts Caddy with its own local certificate authority. */
async function startOwnCaddy(t: TestContext, program: Program) {
  const options = () => ['local_certs', 'admin off'];
  const caddy = await startCaddy(t, program, { apiHost: API, options });
  const ca = await readFile(join(caddy.storage, 'pki/authorities/local/root.crt'), 'utf8');
  type Options = Parameters<typeof caddy.https>[3];
  return {
    https: (host: string, path: string, options?: Options) => caddy.https(ca, host, path, options),
    protocolOf: (host: string) => caddy.protocolOf(ca, host),
    http: caddy.http,
  };
}
