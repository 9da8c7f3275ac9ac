import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Writable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { zstdDecompressSync } from 'node:zlib';
import { environmentOf, openTestDatabase } from '../../test/databases.ts';
import { makeAccount, makePage } from '../../test/factories.ts';
import { NO_SETTINGS_FILE } from '../../test/start-flags.ts';
import { lockFile } from '../db/sqlite-copy.ts';
import { backup, backupToPipe } from './backup.ts';
import { checkRoomForCopy } from './sqlite-snapshot.ts';

const hasNamespaces = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe('a backup of SQLite', () => {
  test("a backup reads from a copy, so that SQLite's log can be reset meanwhile", async (t) => {
    const { db, config } = await filled(t);
    const { promise: isWriting, resolve: begin } = Promise.withResolvers<() => void>();
    const pipe = new Writable({ write: (_chunk, _encoding, done) => begin(done) });
    const backedUp = backupToPipe(db, pipe);
    const goOn = await isWriting;
    const other = new DatabaseSync(join(config.dataDir, 'freehold.db'));
    t.after(() => other.close());
    assert.equal(other.prepare('pragma wal_checkpoint(truncate)').get()!.busy, 0);
    assert.deepEqual(besideDatabase(config.dataDir), ['backup-snapshot', 'backup.lock']);
    pipe._write = (_chunk, _encoding, done) => done();
    goOn();
    assert.equal((await backedUp).pages, 1);
    assert.deepEqual(besideDatabase(config.dataDir), ['backup.lock']);
  });

  test('the time of a backup is that of the copy, not of reading the copy', async (t) => {
    const { db } = await filled(t);
    t.mock.timers.enable({ apis: ['Date'], now: 1_767_225_600_000 });
    let isOver = false;
    const passTime = () => {
      t.mock.timers.tick(1);
      if (!isOver) setImmediate(passTime);
    };
    setImmediate(passTime);
    const chunks: Buffer[] = [];
    const pipe = new Writable({ write: (chunk, _encoding, done) => done(void chunks.push(chunk)) });
    await backupToPipe(db, pipe);
    isOver = true;
    const [header = ''] = zstdDecompressSync(Buffer.concat(chunks)).toString().split('\n');
    assert.equal(JSON.parse(header).created_at, 1_767_225_600_000);
  });

  test('a failed backup leaves no copy behind, and the next one removes a copy that a crash left', async (t) => {
    const { db, config } = await filled(t);
    const copy = join(config.dataDir, 'backup-snapshot');
    mkdirSync(copy);
    writeFileSync(join(copy, 'freehold.db'), 'half a copy');
    const pipe = new Writable({ write: (_chunk, _encoding, done) => done(new Error('no more')) });
    await assert.rejects(backupToPipe(db, pipe), /no more/);
    assert.ok(!existsSync(copy));
    mkdirSync(copy);
    writeFileSync(join(copy, 'freehold.db'), 'half a copy');
    assert.equal((await backup(db, join(config.dataDir, 'backup.zst'))).pages, 1);
    assert.ok(!existsSync(copy));
  });

  test('a backup that a signal ends removes its copy', async (t) => {
    const { config } = await filled(t);
    const main = fileURLToPath(new URL('../cli/main.js', import.meta.url));
    const child = spawn(process.execPath, [main, NO_SETTINGS_FILE, 'backup', '-'], {
      env: { ...process.env, ...environmentOf(config) },
    });
    // The backup is larger than a pipe's buffer, so the program waits.
    await once(child.stdout, 'readable');
    assert.ok(existsSync(join(config.dataDir, 'backup-snapshot')));
    child.kill('SIGTERM');
    child.stdout.resume();
    const [, signal] = await once(child, 'close');
    assert.equal(signal, 'SIGTERM');
    assert.deepEqual(besideDatabase(config.dataDir), ['backup.lock']);
  });

  test('a backup makes its copy in another folder if told to', async (t) => {
    const { db, config } = await filled(t);
    const folder = mkdtempSync(join(tmpdir(), 'freehold-snapshot-'));
    t.after(() => rmSync(folder, { recursive: true }));
    await backup(db, join(config.dataDir, 'backup.zst'), { snapshotFolder: folder });
    assert.deepEqual(readdirSync(folder), ['backup.lock']);
    assert.deepEqual(besideDatabase(config.dataDir), ['backup.zst']);
    await assert.rejects(backup(db, join(config.dataDir, 'other.zst'), { snapshotFolder: join(folder, 'none') }), {
      code: 'invalid',
    });
  });

  test('a backup is refused if a foreign file or link has the name of its copy, which is left alone', async (t) => {
    const { db, config } = await filled(t);
    const other = join(config.dataDir, 'backup-snapshot');
    mkdirSync(other);
    writeFileSync(join(other, 'notes.txt'), 'mine');
    const refusal = { code: 'invalid', message: /backup-snapshot" was not left by an interrupted backup/ };
    await assert.rejects(backup(db, join(config.dataDir, 'backup.zst')), refusal);
    assert.deepEqual(readdirSync(other), ['notes.txt']);
    assert.deepEqual(besideDatabase(config.dataDir), ['backup-snapshot', 'backup.lock']);
    rmSync(other, { recursive: true });
    symlinkSync(config.dataDir, other);
    await assert.rejects(backup(db, join(config.dataDir, 'backup.zst')), refusal);
    assert.ok(existsSync(join(config.dataDir, 'freehold.db')));
  });

  test('a backup is refused at once while another one runs', async (t) => {
    const { db, config } = await filled(t);
    const unlock = lockFile(join(config.dataDir, 'backup.lock'))!;
    const file = join(config.dataDir, 'backup.zst');
    await assert.rejects(backup(db, file), { code: 'conflict', message: /^Another backup/ });
    unlock();
    await backup(db, file);
  });

  test('a backup is refused before anything is written if there is too little space', async (t) => {
    const { config } = await filled(t);
    const refuse = checkRoomForCopy(config.dataDir, { databaseBytes: 2 ** 60, targetFolder: config.dataDir });
    await assert.rejects(refuse, { code: 'unavailable', message: /too little space .* needs 1879048192 GB there/ });
    await assert.rejects(
      checkRoomForCopy(config.dataDir, { databaseBytes: 2 ** 60, targetFolder: undefined }),
      /needs 1342177280 GB there/,
    );
  });

  test('backup and restore are refused on a small disk, and nothing is written', {
    skip: !hasNamespaces && 'no disks can be made here',
  }, async (t) => {
    const { db, config } = await filled(t);
    const file = join(config.dataDir, 'backup.zst');
    await backup(db, file);
    const disk = join(config.dataDir, 'disk');
    mkdirSync(disk);
    // With 48 MB, both are refused without having to write anything large.
    const script = `mount -t tmpfs -o size=48m none "$DISK" && cp "$DATA_DIR/freehold.db" "$DISK" && export DATA_DIR="$DISK" &&
        "$@" backup "$DISK/backup.zst"; rm "$DISK/freehold.db"; "$@" restore "$FILE"; ls "$DISK"`;
    const program = [process.execPath, fileURLToPath(new URL('../cli/main.js', import.meta.url)), NO_SETTINGS_FILE];
    const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', '-c', script, 'sh', ...program], {
      env: { ...process.env, ...environmentOf(config), DISK: disk, FILE: file },
      encoding: 'utf8',
    });
    const [first, second] = stderr.split('\n');
    assert.match(
      first!,
      /too little space in the folder ".*": the copy of the database.* needs 6\d.\d MB there, and 4\d/,
    );
    assert.match(
      second!,
      /too little space in the folder ".*": the restored database.* needs 6\d.\d MB there, and 4\d/,
    );
    assert.equal(stdout, 'backup.lock\nfreehold.db\n');
  });
});

/** Opens a database with a page that is larger than a pipe's buffer. */
async function filled(t: TestContext) {
  const opened = await openTestDatabase(t, 'sqlite');
  const { accountId, userId } = await makeAccount(opened.db);
  await makePage(opened.db, accountId, { userId, body: randomBytes(500_000).toString('base64') });
  return opened;
}

function besideDatabase(folder: string): string[] {
  return readdirSync(folder).filter((name) => !name.startsWith('freehold.db'));
}
