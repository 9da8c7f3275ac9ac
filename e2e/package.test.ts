import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { BlockList, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { variableNames } from '../src/config.ts';
import { databases, environmentOf, makeEmptyDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { installCopy, pack } from '../test/package.ts';
import { Program } from './program.ts';

/*
 * Tests the result of `npm pack`, installed into a read-only folder. Run as root, it starts the service as `nobody`.
 */

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

suite('the package', () => {
  let folder: string;
  let installed: ReturnType<typeof installCopy>;
  const freehold = () => [
    ...(isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []),
    ...[process.execPath, join(installed.folder, 'lib/cli/main.js')],
  ];

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'freehold-package-'));
    chmodSync(folder, 0o755);
    installed = installCopy(pack(folder), join(folder, 'lib/node_modules/freehold'));
    execFileSync('chmod', ['-R', 'a-w', join(folder, 'lib')]);
  });

  after(() => {
    execFileSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true });
  });

  test('the package has the compiled service, the app, documents and notices, and nothing for developers only', () => {
    const files = globSync('**', { cwd: installed.folder, exclude: ['node_modules'] });
    for (const file of [
      ...['lib/server.js', 'lib/cli/main.js', 'lib/http/api/docs/docs.js', 'lib/http/site/themes/base.css'],
      ...['admin/dist/index.html', 'README.md', 'LICENSE', 'CHANGELOG.md', 'deploy/Caddyfile'],
    ]) {
      assert.ok(files.includes(file), `${file} is missing`);
    }
    assert.deepEqual(
      files.filter((file) => /^(src|test|e2e|bench|audit|packaging)\/|\.tsx?$|\.test\.|\.png$/.test(file)),
      [],
    );
    const notices = readFileSync(join(installed.folder, 'lib/third-party-notices.md'), 'utf8');
    for (const name of ['react-dom', '@tiptap/core', '@codemirror/view', '@mantine/core']) {
      assert.ok(notices.includes(`\n## ${name} - `), `${name} has no notice`);
    }
  });

  test('the installed package takes at most 80 MB and 100 packages, with all dependencies', (t) => {
    const { packages, bytes } = installed;
    t.diagnostic(`${packages + 1} packages, ${(bytes / 1e6).toFixed(1)} MB`);
    assert.ok(packages < 100, `${packages} packages`);
    assert.ok(bytes <= 80e6, `${bytes} bytes`);
  });

  for (const kind of databases) {
    test(`the package is set up and serves API, site and app with only the data folder writable (${kind})`, async (t) => {
      const database = await makeEmptyDatabase(t, kind);
      if (isRoot) chownSync(database.dataDir, NOBODY, NOBODY);
      const port = await freePort();
      // All settings come from files, as in a real installation.
      const url = `http://127.0.0.1:${port}`;
      const settings = [`PORT=${port}`, 'DATA_DIR=.', `PUBLIC_URL='${url}'`, `SITES_DOMAIN=localhost:${port}`];
      if (kind === 'postgres') {
        writeFileSync(join(database.dataDir, 'secret'), `${database.databaseUrl}\n`);
        settings.push('DATABASE_URL_FILE=secret');
      }
      writeFileSync(join(database.dataDir, 'freehold.env'), settings.join('\n'));
      const run = (...args: string[]) => {
        const [file = '', ...rest] = [...freehold(), ...args];
        const env = { PATH: process.env.PATH };
        return execFileSync(file, rest, { encoding: 'utf8', env, cwd: database.dataDir, stdio: 'pipe' });
      };
      const account = ['--account-name', 'Acme Agency', '--subdomain', 'acme'];
      const owner = ['--user-name', 'Olivia Owner', '--user-email', 'olivia@example.com'];
      const { api_key: key } = JSON.parse(run('setup', ...account, ...owner, '--json'));

      const program = new Program([...freehold(), 'start'], {}, port, database.dataDir, database.dataDir);
      t.after(() => program.kill());
      await program.serving();
      const { service } = program;
      assert.deepEqual((await service.createPage(key, { name: 'Home', body: '<p>Hello</p>' })).outcome, [
        200,
        { response: true, errors: [] },
      ]);
      assert.deepEqual((await service.createCustomer(key, {})).outcome, [200, { response: true, errors: null }]);
      assert.deepEqual(
        (await service.pages(key)).map(({ name, body }) => [name, body]),
        [['Home', '<p>Hello</p>']],
      );
      assert.equal((await service.account(key)).free_customers_count, 1);

      const headers = { Host: `acme.localhost:${port}`, Accept: 'text/html' };
      const site = await service.request('GET', '/', { headers });
      assert.match(site.text, /<p>Hello<\/p>/);
      for (const [, path = ''] of site.text.matchAll(/(?:href|src)="(\/-\/[^"]+)"/g)) {
        assert.equal((await service.request('GET', path, { headers })).status, 200, path);
      }
      assert.match((await service.request('GET', '/sign-in', { headers: { Accept: 'text/html' } })).text, /<title>/);
      assert.match((await service.request('GET', '/api/docs')).text, /<html/);
      const assistant = await service.request('POST', '/mcp', {
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
      });
      assert.match(assistant.text, /"name":"list_pages"/);
      assert.deepEqual(JSON.parse(run('doctor', '--json')).problems, []);
      assert.deepEqual(await program.stop(), { code: 0, signal: null });
      assert.equal(program.errors, '');
    });
  }
});

test('the package leaves out the secrets and settings beside the compose file in the checkout', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-package-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { name, version, files } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name, version, files }));
  mkdirSync(join(folder, 'deploy/secrets'), { recursive: true });
  for (const file of ['compose.yaml', 'compose.override.yaml', '.env', 'secrets/database-url']) {
    writeFileSync(join(folder, 'deploy', file), 'x');
  }
  const [report] = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json'], { cwd: folder, encoding: 'utf8' }));
  assert.deepEqual(
    report.files.map(({ path }: { path: string }) => path),
    ['deploy/compose.yaml', 'package.json'],
  );
});

test('the compose file sets only options that exist', () => {
  const compose = readFileSync(join(import.meta.dirname, '../deploy/compose.yaml'), 'utf8');
  const service = compose.slice(compose.indexOf('  freehold:\n'), compose.indexOf('  database:\n'));
  const names = [...service.matchAll(/^ {6}([A-Z_0-9]+): /gm)].map(([, name]) => name!);
  assert.ok(names.includes('PUBLIC_URL'));
  assert.deepEqual(
    names.filter((name) => !variableNames.includes(name.replace(/_FILE$/, ''))),
    [],
  );
});

test("the service in the compose file trusts Caddy's addresses, which no other container can get", () => {
  const compose = readFileSync(join(import.meta.dirname, '../deploy/compose.yaml'), 'utf8');
  const caddy = [...compose.matchAll(/ipv[46]_address: (\S+)/g)].map(([, address]) => address!);
  assert.equal(/TRUST_PROXY: (.*)/.exec(compose)?.[1], caddy.join(', '));
  const given = new BlockList();
  const ranges = [...compose.matchAll(/ip_range: "?([^/]+)\/(\d+)/g)];
  assert.equal(ranges.length, caddy.length);
  for (const [, network, prefix] of ranges) given.addSubnet(network!, Number(prefix), familyOf(network!));
  assert.deepEqual(
    caddy.filter((address) => given.check(address, familyOf(address))),
    [],
  );
});

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

for (const [command, script] of [
  ['freehold start', 'src/cli/main.js'],
  ['the service', 'src/server.js'],
] as const) {
  test(`${command} refuses unknown arguments with exit code 2`, async (t) => {
    const database = await makeEmptyDatabase(t, 'sqlite');
    const args = script === 'src/cli/main.js' ? ['start', '--verbose'] : ['--version'];
    const program = new Program(
      [process.execPath, script, ...args],
      environmentOf(database),
      await freePort(),
      database.dataDir,
    );
    assert.deepEqual(await program.ended, { code: 2, signal: null });
    assert.ok(program.errors.includes(args.at(-1)!), program.errors);
    assert.equal(program.out, '');
  });
}
