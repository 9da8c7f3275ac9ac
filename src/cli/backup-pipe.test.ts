import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { environmentOf, onEachDatabase, type TestDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import { NO_SETTINGS_FILE } from '../../test/start-flags.ts';
import { spoolBackup } from '../operations/spool-backup.ts';

const hasGpg = spawnSync('gpg', ['--version']).status === 0;

onEachDatabase('a backup in a pipe', (open) => {
  test('backup - writes nothing but the backup to standard output, and restore - reads it', async (t) => {
    const { db, config } = await open(t);
    await addPages(db, 3);
    const { code, out, error } = await freehold(config, ['backup', '-']);
    assert.deepEqual([code, error], [0, 'Backed up 1 account and 3 pages.\n']);
    await addPages(db, 1);

    const refused = await freehold(config, ['restore', '-'], out);
    assert.equal(refused.code, 1);
    assert.match(refused.error, /^The database is not empty/);
    const restored = await freehold(config, ['restore', '-', '--replace'], out);
    assert.match(restored.out.toString(), /^Restored 1 account and 3 pages as they were at /);
    assert.equal((await freehold(config, ['backup', '-', '--json'])).error, '');
    assert.deepEqual(leftIn(config), []);
  });

  test("a backup is restored from a named pipe, as a shell's <(…) makes one", async (t) => {
    const { db, config } = await open(t);
    await addPages(db, 2);
    const { out } = await freehold(config, ['backup', '-']);
    const pipe = join(config.dataDir, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const restoring = freehold(config, ['restore', pipe, '--replace']);
    writeFileSync(pipe, out);
    assert.equal((await restoring).code, 0);
  });

  test('a backup from a pipe is checked to its end before anything changes, and its copy is removed', async (t) => {
    const { db, config } = await open(t);
    await addPages(db, 2);
    const { out } = await freehold(config, ['backup', '-']);
    await addPages(db, 1);
    const cut = await freehold(config, ['restore', '-', '--replace'], out.subarray(0, -10));
    assert.deepEqual([cut.code, cut.error], [1, 'The backup is damaged: its end is missing.\n']);
    assert.equal((await db.selectFrom('pages').select('id').execute()).length, 3);
    assert.deepEqual(leftIn(config), []);
  });

  test('a backup from a pipe is refused if its copy would leave the service too little space', async (t) => {
    const { config } = await open(t);
    const source = Readable.from([Buffer.from('some bytes')]);
    await assert.rejects(spoolBackup(source, config.dataDir, Number.POSITIVE_INFINITY), {
      code: 'unavailable',
      message: /too little space in the folder .* checked first/,
    });
    assert.deepEqual(leftIn(config), []);
  });

  test('backup - fails if the program that reads it ends early', async (t) => {
    const { db, config } = await open(t);
    await addPages(db, 2);
    const child = start(config, ['backup', '-']);
    child.stdout.destroy();
    const [error, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    assert.deepEqual([code, error], [1, 'The backup is incomplete: the program that reads it has ended.\n']);
  });

  test('a backup can be encrypted and decrypted by gpg', { skip: !hasGpg && 'gpg is not installed' }, async (t) => {
    const { db, config } = await open(t);
    await addPages(db, 2);
    const { out } = await freehold(config, ['backup', '-']);
    t.after(() => execFileSync('gpgconf', ['--homedir', config.dataDir, '--kill', 'gpg-agent']));
    const gpg = (args: string[], input: Buffer) =>
      execFileSync('gpg', ['--homedir', config.dataDir, '--batch', '--quiet', ...PASSPHRASE, ...args], { input });
    const encrypted = gpg(['--symmetric'], out);
    assert.ok(!encrypted.includes(out.subarray(0, 4)));
    assert.equal((await freehold(config, ['restore', '-', '--replace'], encrypted)).code, 1);
    assert.equal((await freehold(config, ['restore', '-', '--replace'], gpg(['--decrypt'], encrypted))).code, 0);
  });
});

const PASSPHRASE = ['--pinentry-mode', 'loopback', '--passphrase', 'secret'];

async function addPages(db: TestDatabase['db'], count: number): Promise<void> {
  const account = await db.selectFrom('users').select(['id as userId', 'account_id as accountId']).executeTakeFirst();
  const { accountId, userId } = account ?? (await makeAccount(db));
  for (let added = 0; added < count; added++) await makePage(db, accountId, { userId });
}

function leftIn({ dataDir }: TestDatabase['config']): string[] {
  return readdirSync(dataDir).filter((name) => !name.startsWith('freehold.db') && name !== 'backup.lock');
}

function start(config: TestDatabase['config'], args: readonly string[]) {
  const main = fileURLToPath(new URL('./main.js', import.meta.url));
  return spawn(process.execPath, [main, NO_SETTINGS_FILE, ...args], {
    env: { ...process.env, ...environmentOf(config) },
  });
}

/** Runs the real program with the given standard input. Returns its exit code and its raw output. */
async function freehold(config: TestDatabase['config'], args: readonly string[], input?: Buffer) {
  const child = start(config, args);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [out, error, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code, out, error };
}
