import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { environmentOf, openTestDatabase, type TestDatabase } from '../test/databases.ts';
import { documentText, root } from '../test/documents.ts';
import { makeAccount } from '../test/factories.ts';
import { NO_SETTINGS_FILE } from '../test/start-flags.ts';

const service = readFileSync(join(root, 'deploy/freehold-backup.service'), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

test('systemd accepts the units of the backup timer', { skip: !hasSystemd && 'systemd is not installed' }, () => {
  const units = ['freehold-backup.service', 'freehold-backup.timer'].map((name) => join(root, 'deploy', name));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
});

test('the unit of the backup has the settings, the folder and the user of the service’s unit', () => {
  const lines = readFileSync(join(root, 'deploy/freehold.service'), 'utf8').split('\n');
  for (const name of ['EnvironmentFile', 'Environment', 'WorkingDirectory', 'DynamicUser', 'ProtectSystem']) {
    const line = lines.find((each) => each.startsWith(`${name}=`));
    assert.ok(line && service.split('\n').includes(line), `${name}: ${line}`);
  }
  // systemd names a dynamic user after its unit, so the backup's unit must name that of the service.
  assert.match(service, /^User=freehold$/m);
  assert.match(service, /^StateDirectory=freehold freehold-backups$/m);
});

test('the backup unit writes a backup of the day that can be restored, and deletes those older than a month', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  await makeAccount(database.db, 'bakery');
  const folder = makeFolder(t);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  const commands = unitCommands(folder);
  for (const [name, days] of Object.entries({ 'freehold-1.zst': 40, 'freehold-2.zst': 10, 'other.zst': 40 })) {
    writeFileSync(join(backups, name), '');
    const time = (Date.now() - days * 24 * 60 * 60 * 1000) / 1000;
    utimesSync(join(backups, name), time, time);
  }
  for (const command of commands) execFileSync('sh', ['-c', command], { env: environmentFor(database) });
  const found = readdirSync(backups).sort();
  const [made = ''] = found.filter((name) => /^freehold-\d{4}-\d\d-\d\d\.zst$/.test(name));
  assert.deepEqual(found, ['freehold-2.zst', made, 'other.zst'].sort());
  execFileSync(join(folder, 'freehold'), ['restore', join(backups, made), '--replace'], {
    env: environmentFor(database),
  });
});

test('the backup unit fails and deletes nothing if no backup can be made', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  const folder = makeFolder(t);
  const [start] = unitCommands(folder);
  // The folder for the backups does not exist.
  const { status, stderr } = spawnSync('sh', ['-c', start!], { env: environmentFor(database), encoding: 'utf8' });
  assert.equal(status, 1);
  assert.match(stderr, /^The backup cannot be written: there is no folder ".*"\. Create it first\./);
});

test('the encrypting unit of docs/operations.md encrypts, and leaves no incomplete file as a backup', async (t) => {
  const database = await openTestDatabase(t, 'sqlite');
  await makeAccount(database.db, 'bakery');
  const folder = makeFolder(t);
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  // Stands in for the real `age`, which is not installed everywhere.
  writeFileSync(join(folder, 'age'), '#!/bin/sh\n[ "$1" = -R ] && echo encrypted && cat\n', { mode: 0o755 });
  const [command] = unitCommands(folder, documentText('docs/operations.md'));
  const run = (more: Record<string, string> = {}) => {
    const env = { ...environmentFor(database), PATH: `${folder}:${process.env.PATH}`, ...more };
    return spawnSync('sh', ['-c', command!], { env, encoding: 'utf8' });
  };
  assert.equal(run({ DATA_DIR: join(folder, 'none') }).status, 1);
  assert.ok(readdirSync(backups).every((name) => name.endsWith('.part')));
  assert.deepEqual([run().status, readdirSync(backups).length], [0, 1]);
  const [name = ''] = readdirSync(backups);
  assert.match(name, /^freehold-\d{4}-\d\d-\d\d\.zst\.age$/);
  assert.equal(readFileSync(join(backups, name)).toString('latin1', 0, 9), 'encrypted');
});

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-backup-timer-'));
  t.after(() => rmSync(folder, { recursive: true }));
  // Stands for the program that npm installs at /opt/freehold/bin.
  const main = join(root, 'src/cli/main.js');
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' ${NO_SETTINGS_FILE} "$@"\n`;
  writeFileSync(join(folder, 'freehold'), script, { mode: 0o755 });
  return folder;
}

/** Returns the commands of a unit, with its paths in the folder. */
function unitCommands(folder: string, unit = service): string[] {
  return [...unit.matchAll(/^ExecStart(?:Post)?=(.+)$/gm)].map(([, line = '']) =>
    line
      .replaceAll('$$', () => '$')
      .replaceAll('%%', '%')
      .replaceAll('/opt/freehold/bin/freehold', join(folder, 'freehold'))
      .replaceAll('/var/lib/freehold-backups', join(folder, 'backups')),
  );
}

function environmentFor({ config }: TestDatabase) {
  return { ...process.env, ...environmentOf(config) };
}
