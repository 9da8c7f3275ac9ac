import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { runCli, runCliIn, spawnCli } from '../../test/cli.ts';
import { makeEmptyDatabase } from '../../test/databases.ts';

const commands = [
  'setup',
  'account list',
  'account show',
  'account subdomain',
  'account plan',
  'account reindex',
  'account delete',
  'customer list',
  'customer create',
  'customer import',
  'customer show',
  'customer plan',
  'customer suspend',
  'customer restore',
  'customer delete',
  'customer resend',
  'plan list',
  'plan create',
  'plan rename',
  'plan default',
  'plan retire',
  'plan restore',
  'revenue show',
  'revenue customers',
  'revenue plans',
  'revenue cohorts',
  'key issue',
  'key list',
  'key rotate',
  'key revoke',
  'mail list',
  'mail retry',
  'migrate',
  'backup',
  'restore',
  'doctor',
];

async function emptyFolder(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'freehold-cli-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return { dataDir: join(folder, 'data'), databaseUrl: '', databasePool: 10 };
}

describe('the command line', () => {
  test('every command is listed, and has help with usage, options and an example', async (t) => {
    const config = await emptyFolder(t);
    const top = await runCli(config, '--help');
    assert.equal(top.code, 0);
    assert.match((await runCli(config, '--version')).out, /^\d+\.\d+\.\d+\n$/);
    for (const command of commands) {
      assert.match(top.out, new RegExp(`^  ${command} `, 'm'));
      for (const help of [
        [...command.split(' '), '--help'],
        ['help', ...command.split(' ')],
      ]) {
        const { code, out, error } = await runCli(config, ...help);
        assert.equal(code, 0);
        assert.equal(error, '');
        assert.match(out, new RegExp(`Usage: npm run --silent freehold -- ${command}`));
        assert.match(out, /Options:\n[\s\S]*--json [\s\S]*--help [\s\S]*Example:\n {2}npm run --silent freehold -- /);
      }
    }
    for (const group of ['account', 'customer', 'plan', 'key', 'mail']) {
      const { code, out } = await runCli(config, group, '--help');
      assert.equal(code, 0);
      assert.match(out, /Usage: [\s\S]*Commands:\n[\s\S]*Example:/);
    }
    assert.equal(existsSync(config.dataDir), false, 'help created a folder');
  });

  for (const [args, message] of [
    [[], 'Which command?'],
    [['bogus'], 'There is no command "bogus".'],
    [['constructor'], 'There is no command "constructor".'],
    [['account'], 'Which command of "account"?'],
    [['account', 'bogus'], 'There is no command "account bogus".'],
    [['account', 'list', '--bogus'], "Unknown option '--bogus'."],
    [['account', 'list', '--json=yes'], "Option '--json' does not take an argument."],
    [['account', 'list', 'more'], 'Unexpected argument: "more".'],
    [['account', 'show'], 'Missing: ACCOUNT.'],
    [['account', 'show', 'acme', '--account', 'acme'], 'Give ACCOUNT or --account, not both.'],
    [['key', 'revoke'], 'Missing: KEYID.'],
    [['plan', 'create', '--name', 'x'], 'Missing: --account, --price, --interval.'],
    [['customer', 'plan', 'bakery'], 'Missing: PLAN.'],
    [['backup', ''], 'Missing: FILE.'],
    [['account', 'show', 'ac\ufffdme'], 'What was entered is not valid UTF-8.'],
    [['plan', 'create', '--name=\ud800'], 'What was entered is not valid UTF-8.'],
  ] as const) {
    test(`"${args.join(' ')}" ends with code 2, and prints help on the error stream`, async (t) => {
      const config = await emptyFolder(t);
      const { code, out, error } = await runCli(config, ...args);
      assert.equal(code, 2);
      assert.equal(out, '');
      assert.ok(error.startsWith(`${message}\n\n`), error);
      assert.match(error, /Usage: /);
      assert.equal(existsSync(config.dataDir), false);
      for (const withJson of [
        [...args, '--json'],
        ['--json', ...args],
      ]) {
        const asJson = await runCli(config, ...withJson);
        assert.deepEqual([asJson.code, asJson.out], [2, '']);
        assert.equal(asJson.error, `${JSON.stringify({ error: { code: 'usage', message } })}\n`);
      }
    });
  }

  test('an unknown command gets a short answer that suggests the closest one', async (t) => {
    const config = await emptyFolder(t);
    for (const [args, meant] of [
      [['bogus'], undefined],
      [['acount'], 'account'],
      [['customers', 'list'], 'customer list'],
      [['customers', 'Acme'], 'customer'],
      [['key-issue', '--account', 'acme'], 'key issue'],
      [['help', 'bakcup'], 'backup'],
    ] as const) {
      const { code, error } = await runCli(config, ...args);
      assert.equal(code, 2);
      const [mistake, _, ...help] = error.trimEnd().split('\n');
      assert.match(mistake!, /^There is no command "/);
      assert.deepEqual(help, [
        ...(meant ? [`Did you mean "${meant}"?`, ''] : []),
        'Usage: npm run --silent freehold -- COMMAND [OPTIONS]',
        'All commands: npm run --silent freehold -- help',
      ]);
    }
  });

  test('a command without a database names the folder it looked in, and creates nothing', async (t) => {
    const config = await emptyFolder(t);
    for (const args of [['account', 'list'], ['doctor'], ['backup', 'x.gz']]) {
      const { code, out, error } = await runCli(config, ...args);
      assert.equal(code, 1);
      assert.equal(out, '');
      assert.match(error, /^There is no database in the folder ".*data"/);
    }
    assert.equal(existsSync(config.dataDir), false);
  });

  test("no error contains the database's password", async (t) => {
    const config = { ...(await emptyFolder(t)), databaseUrl: 'postgres://user:Sekr%40t-1@127.0.0.1:1/freehold' };
    const { code, error } = await runCli(config, 'account', 'list');
    assert.equal(code, 1);
    assert.match(error, /^The database is not available: .*ECONNREFUSED/);
    const wrong = await runCli({ ...config, databaseUrl: 'mysql://user:Sekr%40t-1@localhost/freehold' }, 'doctor');
    assert.equal(wrong.code, 1);
    assert.match(wrong.error, /^DATABASE_URL must be a postgres:\/\/ address/);
    const asJson = await runCli(config, 'account', 'list', '--json');
    assert.equal(JSON.parse(asJson.error).error.code, 'unavailable');
    assert.doesNotMatch(error + wrong.error + asJson.error, /Sekr/);
  });

  test('--env-file may stand anywhere, and the password in its file is never printed', async (t) => {
    const folder = join((await emptyFolder(t)).dataDir, '..');
    const file = join(folder, 'my.env');
    writeFileSync(file, "DATABASE_URL='postgres://user:Sekr%40t-1@127.0.0.1:1/freehold'\n");
    for (const args of [
      ['--env-file', file, 'account', 'list'],
      ['account', 'list', `--env-file=${file}`],
    ]) {
      const result = await runCliIn({}, ...args);
      assert.equal(result.code, 1);
      assert.match(result.error, /^The database is not available: .*ECONNREFUSED/);
      assert.doesNotMatch(result.error, /Sekr/);
    }
    const missing = await runCliIn({}, 'account', 'list', '--env-file');
    assert.equal(missing.code, 2);
    assert.match(missing.error, /^Missing: the file for --env-file\./);
  });

  test('an unusable database is reported with the reason, not as an internal error', async (t) => {
    const config = await makeEmptyDatabase(t, 'postgres');
    const { username } = new URL(config.databaseUrl);
    const obstacles: Array<[change: Partial<URL>, reason: RegExp]> = [
      [{ pathname: '/nowhere' }, /database "nowhere" does not exist/],
      [{ username: 'nobody' }, /"nobody"/],
      [{ search: '?sslmode=verify-full' }, /does not support SSL/],
      [{ username }, /The database is empty/],
    ];
    for (const [change, reason] of obstacles) {
      const databaseUrl = Object.assign(new URL(config.databaseUrl), change).href;
      const { code, error } = await runCli({ ...config, databaseUrl }, 'account', 'list');
      assert.equal(code, 1);
      assert.match(error, reason);
      assert.doesNotMatch(error, /Unexpected error/);
    }
  });

  test('every command says what to do about a damaged SQLite file', async (t) => {
    const config = await makeEmptyDatabase(t, 'sqlite');
    const backup = join(config.dataDir, 'backup.zst');
    assert.equal((await runCli(config, 'migrate')).code, 0);
    assert.equal((await runCli(config, 'backup', backup)).code, 0);
    const file = join(config.dataDir, 'freehold.db');
    await writeFile(file, 'this is no database');
    for (const args of [['doctor'], ['migrate'], ['restore', backup, '--replace']]) {
      const { code, error } = await runCli(config, ...args);
      assert.equal(code, 1);
      assert.match(error, /file is not a database: move freehold\.db,.* and restore a backup/);
    }
    await rename(file, `${file}.damaged`);
    assert.equal((await runCli(config, 'restore', backup)).code, 0);
  });

  test('the program prints to the right streams and ends with the right code', async (t) => {
    const config = await emptyFolder(t);
    const help = await spawnCli(config, '--help');
    assert.deepEqual([help.code, help.error], [0, '']);
    const unknown = await spawnCli(config, 'bogus');
    assert.deepEqual([unknown.code, unknown.out], [2, '']);
    const json = await spawnCli(config, 'account', 'list', '--json');
    assert.deepEqual([json.code, json.out], [1, '']);
    assert.equal(JSON.parse(json.error).error.code, 'not_found');
  });
});
