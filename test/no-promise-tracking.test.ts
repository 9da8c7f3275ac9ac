import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';

const preload = join(import.meta.dirname, 'no-promise-tracking.js');

test('a rejection that no test waits for fails the run, though promises are not tracked', (t) => {
  const passing = `import { test } from 'node:test'; test('passes', async () => {});`;
  const stray = `import { test } from 'node:test'; test('strays', async () => { await null; void Promise.reject(new Error('Lost')); });`;
  assert.equal(runTests(t, passing).status, 0);
  const { status, stdout } = runTests(t, stray);
  assert.equal(status, 1, stdout);
  assert.match(stdout, /Lost/);
});

test('a test in a group belongs to the group, though promises are not tracked', (t) => {
  const grouped = `import { describe, test } from 'node:test';
    describe('group', () => { test('inside', async (t) => { await null; await t.test('deeper', () => {}); }); });`;
  const { status, stdout } = runTests(t, grouped);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^# Subtest: group\n {4}# Subtest: inside\n {8}# Subtest: deeper\n/m);
});

test('npm test runs without tracking promises', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  assert.match(scripts['test:run'], /--import \.\/test\/no-promise-tracking\.js /);
});

function runTests(t: TestContext, code: string) {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-tests-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'one.test.mjs');
  writeFileSync(file, code);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, ['--import', preload, '--test', '--test-reporter=tap', file], {
    env,
    encoding: 'utf8',
  });
}
