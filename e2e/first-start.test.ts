import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { hasNoAccounts } from '../src/accounts/setup.ts';
import { MALLOC_SETTINGS, NODE_OPTIONS } from '../src/cli/start-service.ts';
import { openDatabase } from '../src/db/open-database.ts';
import { runCli } from '../test/cli.ts';
import { beforeClosing, databases, environmentOf, makeEmptyDatabase, makeMigratedDatabase } from '../test/databases.ts';
import { Person } from '../test/person.ts';
import { startEnvironment, startFlags } from '../test/start-flags.ts';
import { eventually, spawnProgram, startProgram } from './program.ts';

const owner = [
  '--account-name',
  'Acme',
  '--subdomain',
  'acme',
  '--user-name',
  'Olivia',
  '--user-email',
  'o@example.com',
];

for (const kind of databases) {
  test(`the first start shows an API key once, and a second start shows none (${kind})`, async (t) => {
    const database = await makeEmptyDatabase(t, kind);
    const first = await startProgram(t, database);
    assert.equal(first.out.match(/API key: {2}/g)?.length, 1);
    assert.match(first.out, /Sign in: {2}http:\/\/localhost:\d+\/\S+/);
    const settings = kind === 'sqlite' ? `DATA_DIR=${database.dataDir}` : 'DATABASE_URL=\\S+';
    assert.match(
      first.out,
      new RegExp(
        `cd ${process.cwd()} && PORT=${first.port} ${settings} npm run .* user sign-in-link --account agency\n`,
      ),
    );
    assert.equal((await first.service.account(first.key)).name, 'My Agency');
    assert.deepEqual(await first.stop(), { code: 0, signal: null });

    const second = await startProgram(t, database);
    assert.doesNotMatch(second.out, /fh_|Welcome/);
    assert.equal((await second.service.account(first.key)).name, 'My Agency');
    assert.equal(second.errors, '');
  });

  test(`two programs that start on the same empty database create one account (${kind})`, async (t) => {
    const database = await makeEmptyDatabase(t, kind);
    const programs = await Promise.all([startProgram(t, database), startProgram(t, database)]);
    assert.equal(programs.filter(({ out }) => out.includes('API key:')).length, 1);
  });

  test(`keys issued by setup, before the first start or beside the running service, work at once (${kind})`, async (t) => {
    const database = await makeEmptyDatabase(t, kind);
    const before = await runCli(database, 'setup', ...owner, '--json');
    assert.equal(before.code, 0, before.error);
    const program = await startProgram(t, database);
    assert.doesNotMatch(program.out, /fh_|Welcome/, 'no key or welcome is shown if an account exists');
    assert.equal((await program.service.account(JSON.parse(before.out).api_key)).name, 'Acme');

    const beside = await runCli(database, 'setup', ...owner.with(3, 'beside'), '--json');
    assert.equal(beside.code, 0, beside.error);
    assert.equal((await program.service.account(JSON.parse(beside.out).api_key)).url.includes('//beside.'), true);
  });
}

test('the first start in a container shows a command without the container’s settings', async (t) => {
  const { out } = await startProgram(t, await makeMigratedDatabase(t, 'sqlite'), { IN_CONTAINER: 'true' });
  assert.match(out, /\n {12}npm run --silent freehold -- user sign-in-link --account agency\n\nTry it:/);
});

test('the commands that the first start prints can be run unchanged', async (t) => {
  const curl = await promisify(execFile)('curl', ['--version']).catch(() => undefined);
  if (!curl) return t.skip('curl is not installed');
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database, { HOST: '' });
  const commands = [...program.out.matchAll(/^ {2}(curl (?:.*\\\n)*.*)$/gm)].map(([, command]) => command!);
  assert.equal(commands.length, 3);
  const answers = [];
  for (const command of commands) {
    const { stdout } = await promisify(execFile)('sh', ['-c', `${command.replace('curl', 'curl --noproxy "*" -s')}`]);
    answers.push(JSON.parse(stdout));
  }
  const [page, list, customer] = answers;
  assert.deepEqual(page, { response: true, errors: [] });
  assert.equal(list.pages[0].body, '<p>Hello, world.</p>');
  assert.deepEqual(customer, { response: true, errors: null });
  const files = await eventually(
    t,
    () => readdir(join(database.dataDir, 'mail')).catch(() => []),
    (names) => names.some((name) => name.endsWith('.eml') && !name.startsWith('.')),
  );
  assert.equal(files.length, 1);
});

test('the sign-in command printed by the first start works in any folder, and its link lets the owner in', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const program = await startProgram(t, database);
  const [, command] = /^ +(cd .*sign-in-link.*)$/m.exec(program.out)!;
  // As in another terminal: another folder, and without the settings of the service.
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)('sh', ['-c', command!], { cwd: '/', env: { PATH, HOME } });
  const origin = `http://localhost:${program.port}`;
  assert.ok(stdout.startsWith(`${origin}/sign-in#token=`), stdout);
  const owner = new Person(program.service, undefined, { Origin: origin });
  assert.equal((await owner.post('sign-in-link', { token: stdout.trim().split('=')[1] })).status, 200);
  const details = { name: 'Olivia Owner', email: 'olivia@example.com', password: 'copper lantern meadow' };
  assert.equal((await owner.post('welcome', details)).status, 204);
  const returning = new Person(program.service, undefined, { Origin: origin });
  assert.deepEqual((await returning.post('sign-in', details)).json, { signedIn: true });
  assert.equal((await returning.get('session')).json.user.name, 'Olivia Owner');
});

test('npm start and freehold start use the Node options for which npm ci has cached compiled code', async () => {
  const read = (file: string) => readFile(join(import.meta.dirname, '..', file), 'utf8');
  const { scripts } = JSON.parse(await read('package.json'));
  const options = startFlags.join(' ');
  assert.ok(options.includes('--heap-growing-percent='));
  assert.deepEqual(NODE_OPTIONS, startFlags);
  assert.deepEqual(MALLOC_SETTINGS, startEnvironment);
  assert.ok(scripts.postprepare.startsWith('npm run --silent warm-up && '));
  assert.deepEqual(scripts['warm-up'].split(' && '), ['node src/warm-up.ts', `node ${options} src/warm-up.ts`]);
});

test('wrong settings prevent the start, with a sentence for each of them', async (t) => {
  const program = await spawnProgram(t, {
    DATA_DIR: '/nonexistent',
    WORKERS: 'many',
    RATE_LIMIT: '-1',
    SMTP_URL: 'http://joe:open-sesame@mail.example.com',
    DATABASE_URL: 'mysql://joe:open-sesame@db.example.com/freehold',
    TLS_CERT: '/some/where.pem',
  });
  assert.deepEqual(await program.ended, { code: 1, signal: null });
  const lines = program.errors.trimEnd().split('\n');
  for (const name of ['WORKERS', 'RATE_LIMIT', 'SMTP_URL', 'DATABASE_URL', 'TLS_CERT']) {
    assert.ok(
      lines.some((line) => line.startsWith(name)),
      `${name} in ${program.errors}`,
    );
  }
  assert.equal(lines.length, 5);
  assert.doesNotMatch(program.errors + program.out, /open-sesame|at file:|Error:/);
});

test('a start whose mailed addresses would lead nowhere warns in its log and its first output', async (t) => {
  const database = await makeMigratedDatabase(t, 'sqlite');
  const settings = { PUBLIC_URL: 'https://api.example.com', TRUST_PROXY: 'loopback' };
  const program = await startProgram(t, database, settings);
  assert.match(program.out, /^ {2}SITES_DOMAIN {2}the domain/m);
  assert.doesNotMatch(program.out, /^ {2}PUBLIC_URL /m);
  assert.ok(program.log.some(({ level, msg }) => level === 40 && msg.startsWith('SITES_DOMAIN is localhost:')));
});

/** Settings that fail only when they are used. The error must name the setting, and contain no password. */
const obstacles: Array<[what: string, name: string, environment: Record<string, string>]> = [
  ['an unreachable database', 'DATABASE_URL', { DATABASE_URL: 'postgres://joe:open-sesame@localhost:1/none' }],
  ['a data folder below a file', 'DATA_DIR', { DATA_DIR: '/dev/null/data' }],
  ['a data folder that cannot be created', 'DATA_DIR', { DATA_DIR: '/proc/none/data' }],
  ['a certificate that is not there', 'TLS_CERT', { TLS_CERT: '/nonexistent.pem', TLS_KEY: '/nonexistent.pem' }],
  ['a certificate that is none', 'TLS_CERT', { TLS_CERT: '/dev/null', TLS_KEY: '/dev/null' }],
  ['a mail server that is none', 'SMTP_URL', { SMTP_URL: 'smtp://joe:open-sesame@' }],
];

for (const [what, name, environment] of obstacles) {
  // Workers read the certificates. Everything else is used before any worker starts.
  for (const WORKERS of what === 'a certificate that is not there' ? ['1', '2'] : ['1']) {
    test(`${what} prevents the start, with a sentence (${WORKERS} processes)`, async (t) => {
      const database = await makeMigratedDatabase(t, 'sqlite');
      const program = await spawnProgram(t, { ...environmentOf(database), ...environment, WORKERS });
      assert.deepEqual(await program.ended, { code: 1, signal: null });
      assert.match(program.errors, new RegExp(name));
      assert.doesNotMatch(program.errors + program.out, /open-sesame|at file:|node:internal/);
    });
  }
}

for (const WORKERS of ['1', '2']) {
  for (const name of ['PORT', 'METRICS_PORT']) {
    test(`a ${name} that is in use prevents the start with a sentence, and no key is lost (${WORKERS} processes)`, async (t) => {
      const port = await occupiedPort(t);
      const database = await makeMigratedDatabase(t, 'sqlite');
      const program = await spawnProgram(t, { ...environmentOf(database), WORKERS, [name]: String(port) });
      assert.deepEqual(await program.ended, { code: 1, signal: null });
      assert.match(program.errors, new RegExp(`:${port} is in use by another program. Stop it, or set ${name}.`));
      assert.doesNotMatch(program.errors, /at file:|node:internal/);
      assert.equal(program.out, '');

      // The failed start created no account, so the next start counts as the first.
      const db = await openDatabase(database);
      beforeClosing(t, () => db.destroy());
      assert.ok(await db.transaction().execute(hasNoAccounts));
    });
  }
}

async function occupiedPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return (server.address() as { port: number }).port;
}
