import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { beforeClosing, makeEmptyDatabase } from '../test/databases.ts';
import { freePort } from '../test/free-port.ts';
import { startFlags } from '../test/start-flags.ts';
import { Program } from './program.ts';

test('the service and its workers have the settings of the file they were started with, even once it is gone', async (t) => {
  const { dataDir } = await makeEmptyDatabase(t, 'sqlite');
  const file = join(dataDir, 'my.env');
  writeFileSync(file, `DATA_DIR=${dataDir}\nWORKERS=2\nSITES_DOMAIN_FILE=${join(dataDir, 'domain')}\n`);
  writeFileSync(join(dataDir, 'domain'), 'sites.example\n');
  const command = [process.execPath, ...startFlags, 'src/server.js', '--env-file', file];
  const program = new Program(command, {}, await freePort(), dataDir);
  beforeClosing(t, () => program.kill());
  await program.serving(2);
  assert.ok(program.out.includes(` freehold -- --env-file ${file} user sign-in-link`), program.out);
  rmSync(file);
  rmSync(join(dataDir, 'domain'));
  for (const { pid } of program.log.filter(({ msg }) => msg === 'serving')) process.kill(Number(pid), 'SIGKILL');
  await program.serving(4);
  assert.equal((await program.service.account(program.key)).url, 'http://agency.sites.example');
});

test('a missing settings file prevents the start, and the error names it', async (t) => {
  const { dataDir } = await makeEmptyDatabase(t, 'sqlite');
  // Without the two dashes, Node.js itself would report the missing file.
  const command = [process.execPath, '--', 'src/server.js', `--env-file=${dataDir}/missing.env`];
  const program = new Program(command, { DATA_DIR: dataDir }, await freePort(), dataDir);
  assert.deepEqual(await program.ended, { code: 1, signal: null });
  assert.equal(program.errors, `The settings cannot be read: "${dataDir}/missing.env" does not exist.\n`);
});
