import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { runCliJson } from '../test/cli.ts';
import { beforeClosing, environmentOf, makeEmptyDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { NO_SETTINGS_FILE } from '../test/start-flags.ts';
import { areInstalled, startCaddy } from './caddy.ts';
import { startAuthority } from './certificate-authority.ts';
import { eventually, startProgram } from './program.ts';

const DOMAIN = 'agency.example';
const API = `api.${DOMAIN}`;
const SITES = `sites.${DOMAIN}`;
const WILDCARD = `*.${SITES}`;
const settings = { PUBLIC_URL: `https://${API}`, SITES_DOMAIN: SITES, TRUST_PROXY: 'loopback' };
const CUSTOMERS = 500;

const missing = async () =>
  (await areInstalled('caddy', 'lego', 'pebble', 'pebble-challtestsrv'))
    ? undefined
    : "caddy, lego or Pebble is not on the path (Debian's packages caddy, lego, pebble)";

test('a wildcard certificate gives 500 customers HTTPS at once, within the limit of a certificate authority', async (t) => {
  const reason = await missing();
  if (reason) return t.skip(reason);
  const database = await makeEmptyDatabase(t, 'sqlite');
  const ports = { http: await freePort(), https: await freePort() };
  const authority = await startAuthority(t, { limit: 50, ports });
  const program = await startProgram(t, database, { ...settings, DNS_SERVERS: authority.dnsServer });
  const wildcard = await authority.runLego(WILDCARD, 'run');
  const admin = `127.0.0.1:${await freePort()}`;
  const caddy = await startCaddy(t, program, {
    apiHost: API,
    ports,
    options: () => authorityOptions(authority, admin),
    environment: {
      FREEHOLD_WILDCARD: 'wildcard.caddy',
      FREEHOLD_SITES_DOMAIN: SITES,
      FREEHOLD_SITES_CERT: wildcard.cert,
      FREEHOLD_SITES_KEY: wildcard.key,
    },
  });
  const visit = (host: string, path = '/') => caddy.https(authority.root, host, path);

  await t.test('all sites are served with the wildcard certificate', async () => {
    await importCustomers(t, database, CUSTOMERS);
    const hosts = Array.from({ length: CUSTOMERS }, (_, number) => `shop-${number}.${SITES}`);
    for (let from = 0; from < hosts.length; from += 10) {
      const answers = await Promise.all(hosts.slice(from, from + 10).map((host) => visit(host)));
      for (const { status, names, body } of answers) assert.deepEqual([status, names], [200, `DNS:${WILDCARD}`], body);
    }
    assert.equal(authority.issued(DOMAIN), 1);
    assert.equal((await visit(`nobody.${SITES}`)).status, 404);
  });

  await t.test(
    'the host of the service and customers’ own domains get certificates on their first request',
    async () => {
      const account = await visit(API, `/api/account.json?api_key=${program.key}`);
      assert.deepEqual([account.status, account.names], [200, `DNS:${API}`]);
      assert.equal(authority.issued(DOMAIN), 2);
      for (const number of [0, 1]) {
        const host = `www.shop-${number}.example`;
        await assert.rejects(visit(host), /SSL alert|ECONNRESET|socket/);
        const { domain } = await runCliJson(database, 'domain', 'add', host, '--account', `shop-${number}`);
        await authority.setTxt(domain.records[0].name, domain.records[0].value);
        await runProgram({ ...environmentOf(database), ...settings, DNS_SERVERS: authority.dnsServer }, [
          ...['domain', 'verify', host, '--account', `shop-${number}`],
        ]);
        const { status, names } = await visit(host);
        assert.deepEqual([status, names], [200, `DNS:${host}`]);
        assert.equal(authority.issued(`shop-${number}.example`), 1);
      }
    },
  );

  await t.test('a renewed certificate is served after a reload, and no request fails meanwhile', async () => {
    const host = `shop-9.${SITES}`;
    const { serial: before } = await visit(host);
    await authority.runLego(WILDCARD, 'renew', '--days', '100000', '--no-random-sleep');
    const reloaded = caddy.reload(admin);
    const last = await eventually(
      t,
      () => visit(host),
      ({ status, serial }) => {
        assert.equal(status, 200);
        return serial !== before;
      },
    );
    assert.equal(last.names, `DNS:${WILDCARD}`);
    await reloaded;
  });
});

test('without a wildcard certificate, the certificate authority refuses sites above its limit', async (t) => {
  const reason = await missing();
  if (reason) return t.skip(reason);
  const database = await makeEmptyDatabase(t, 'sqlite');
  const ports = { http: await freePort(), https: await freePort() };
  const authority = await startAuthority(t, { limit: 2, ports });
  const program = await startProgram(t, database, settings);
  await importCustomers(t, database, 3);
  const options = () => authorityOptions(authority, 'off');
  const caddy = await startCaddy(t, program, { apiHost: API, ports, options });
  const visit = (number: number) => caddy.https(authority.root, `shop-${number}.${SITES}`, '/');
  for (const number of [0, 1]) assert.equal((await visit(number)).names, `DNS:shop-${number}.${SITES}`);
  // Caddy retries, and the visitor waits until Caddy is stopped.
  const third = visit(2).then(
    () => 'served',
    () => 'not served',
  );
  await eventually(
    t,
    async () => authority.refused(DOMAIN),
    (count) => count > 0,
  );
  caddy.kill();
  assert.equal(await third, 'not served');
});

const authorityOptions = (
  { directory, serverCert }: { directory: string; serverCert: string },
  admin: string,
): readonly string[] => [`acme_ca ${directory}`, `acme_ca_root ${serverCert}`, `admin ${admin}`];

async function importCustomers(t: TestContext, database: Parameters<typeof runCliJson>[0], count: number) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-customers-'));
  beforeClosing(t, () => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'customers.csv');
  const lines = Array.from({ length: count }, (_, at) => `Shop ${at},shop-${at},Sam Keeper,sam@shop-${at}.example`);
  await writeFile(file, ['account_name,account_subdomain,user_name,user_email', ...lines].join('\n'));
  await runProgram({ ...environmentOf(database), ...settings }, ['customer', 'import', file, '--account', 'agency']);
}

async function runProgram(environment: Readonly<Record<string, string>>, args: readonly string[]): Promise<void> {
  const env = { PATH: process.env.PATH, ...environment };
  const cwd = join(import.meta.dirname, '..');
  await promisify(execFile)(process.execPath, ['src/cli/main.js', NO_SETTINGS_FILE, ...args], { env, cwd });
}
