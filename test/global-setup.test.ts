import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

test('a failed test run ends with a non-zero exit code', () => {
  const setup = join(import.meta.dirname, 'global-setup.ts');
  const script = `await import(${JSON.stringify(setup)}); process.exitCode = 3;`;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
  });
  assert.equal(status, 3, stderr);
});
