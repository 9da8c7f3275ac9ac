import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { commandOf, readConfig } from './config.ts';
import { completeEnvironment } from './environment.ts';
import { AppError } from './errors.ts';

function folderWith(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

function mistakes(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof AppError && error.code === 'invalid', String(error));
    return error.message;
  }
  throw new assert.AssertionError({ message: 'nothing was wrong' });
}

test('options are read from freehold.env in the folder, including quoted values and comments', (t) => {
  const folder = folderWith(t, {
    'freehold.env':
      '# Mine\nPORT=9000\nexport HOST="::1"\n\nDATABASE_URL=\'postgres://a:b@db/x?y=1&z=2#3\' # the database\n',
  });
  const { port, host, databaseUrl } = readConfig(completeEnvironment({}, { folder }));
  assert.deepEqual([port, host, databaseUrl], [9000, '::1', 'postgres://a:b@db/x?y=1&z=2#3']);
});

test('without a settings file the environment stays unchanged', (t) => {
  assert.equal(completeEnvironment({ PORT: '9000' }, { folder: folderWith(t, {}) }).PORT, '9000');
  assert.equal(completeEnvironment({ PORT: '9000' }, {}).PORT, '9000');
});

test('environment variables override the settings file even if empty, and other variables are kept', (t) => {
  const folder = folderWith(t, { 'freehold.env': 'PORT=9000\nHOST=::1\nWORKERS=2\n' });
  const complete = completeEnvironment({ PORT: '9001', HOST: '', PATH: '/bin' }, { folder });
  assert.deepEqual([complete.PORT, complete.HOST, complete.WORKERS, complete.PATH], ['9001', '', '2', '/bin']);
});

test('a named settings file replaces freehold.env, and must exist', (t) => {
  const folder = folderWith(t, { 'freehold.env': 'PORT=9000\n', 'other.env': 'HOST=::1\n' });
  const complete = completeEnvironment({}, { envFile: join(folder, 'other.env'), folder });
  assert.deepEqual([complete.PORT, complete.HOST], [undefined, '::1']);
  const missing = join(folder, 'missing.env');
  assert.equal(
    mistakes(() => completeEnvironment({}, { envFile: missing, folder })),
    `The settings cannot be read: "${missing}" does not exist.`,
  );
});

test('every option can be read from a file named by NAME_FILE in the environment or the settings', (t) => {
  const folder = folderWith(t, { url: 'postgres://a:b@db/x\n', smtp: 'smtp://c:d@mail' });
  writeFileSync(join(folder, 'freehold.env'), `SMTP_URL_FILE=${join(folder, 'smtp')}\n`);
  const complete = completeEnvironment({ DATABASE_URL_FILE: join(folder, 'url') }, { folder });
  assert.equal(complete.DATABASE_URL, 'postgres://a:b@db/x');
  assert.equal(complete.SMTP_URL, 'smtp://c:d@mail');
  assert.deepEqual(
    Object.keys(complete).filter((name) => name.endsWith('_FILE')),
    [],
  );
});

test('all errors in the settings are reported together, without repeating values', (t) => {
  const folder = folderWith(t, { empty: '\n', 'freehold.env': 'DATABSE_URL=postgres://a:secret@db/x\n' });
  const environment = {
    SMTP_URL: 'smtp://a:secret@mail',
    SMTP_URL_FILE: join(folder, 'empty'),
    DATABASE_URL_FILE: join(folder, 'empty'),
    MEDIA_S3_SECRET_FILE: join(folder, 'missing'),
  };
  assert.deepEqual(mistakes(() => completeEnvironment(environment, { folder })).split('\n'), [
    `${join(folder, 'freehold.env')}: DATABSE_URL is not an option.`,
    `DATABASE_URL_FILE: ${join(folder, 'empty')} is empty.`,
    'Set SMTP_URL or SMTP_URL_FILE, not both.',
    `MEDIA_S3_SECRET_FILE cannot be read: "${join(folder, 'missing')}" does not exist.`,
  ]);
});

test('suggested commands name the settings file', () => {
  const command = (envFile: string) => commandOf(readConfig({}, envFile));
  assert.equal(command('/etc/freehold.env'), 'npm run --silent freehold -- --env-file /etc/freehold.env');
  assert.equal(command("it's.env"), "npm run --silent freehold -- --env-file 'it'\\''s.env'");
});

test('suggested commands have no settings that they read from a file themselves', (t) => {
  const folder = folderWith(t, {
    'settings.env':
      'PORT=81\nDATABASE_URL=postgres://joe:open-sesame@db.example/freehold\nPUBLIC_URL=https://a.example\n',
    'database-url': 'postgres://joe:open-sesame@db.example/freehold',
  });
  const [envFile, urlFile] = [join(folder, 'settings.env'), join(folder, 'database-url')];
  const command = (given: Record<string, string>, file?: string) =>
    commandOf(readConfig(completeEnvironment(given, { envFile: file }), file, given));
  const program = 'npm run --silent freehold --';
  assert.equal(command({ DATA_DIR: '/srv' }, envFile), `DATA_DIR=/srv ${program} --env-file ${envFile}`);
  assert.equal(command({ DATABASE_URL_FILE: urlFile }), `DATABASE_URL_FILE=${urlFile} ${program}`);
});

test('suggested commands have the settings for the database, without its password', () => {
  const command = (values: Record<string, string>) => commandOf(readConfig(values));
  const program = 'npm run --silent freehold --';
  assert.equal(command({ DATA_DIR: '/srv/my data', PORT: '81' }), `PORT=81 DATA_DIR='/srv/my data' ${program}`);
  assert.equal(command({ PUBLIC_URL: 'https://a.example' }), `PUBLIC_URL=https://a.example ${program}`);
  const secret = command({ DATABASE_URL: 'postgres://joe:open@se:same@db.example/freehold', DATA_DIR: '/srv' });
  assert.equal(secret, `DATABASE_URL=postgres://joe:PASSWORD@db.example/freehold ${program}`);
  const query = command({ DATABASE_URL: 'postgres://joe@/freehold?host=/run&password=open-sesame&a=b' });
  assert.equal(query, `DATABASE_URL='postgres://joe@/freehold?host=/run&password=PASSWORD&a=b' ${program}`);
});

test('suggested commands in a container have no settings, since the container has them', () => {
  const values = { IN_CONTAINER: 'true', DATA_DIR: '/data', DATABASE_URL: 'postgres://joe@db.example/freehold' };
  assert.equal(commandOf(readConfig(values)), 'npm run --silent freehold --');
});
