import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shareOf } from './shares.ts';

test('npm test runs every test file exactly once', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const patterns: string[] = [...scripts['test:run'].matchAll(/'(\S+)'/g)].map(([, pattern]) => pattern);
  const started = patterns.flatMap((pattern) => globSync(pattern));
  const shares = started.filter((file) => file.includes('/together/'));
  const run = started.flatMap((file) => (shares.includes(file) ? shareOf(file) : file));
  const all = globSync('**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter((file) => !shares.includes(file));
  assert.deepEqual(run.sort(), all.sort());
});

test('no test file that shares a process adds a hook that would run around the tests of other files', () => {
  const shares = globSync('{test,e2e}/together/*.test.ts');
  const files = shares.flatMap(shareOf).filter((file) => /^(?:before|after)Each\(/m.test(readFileSync(file, 'utf8')));
  assert.deepEqual(files, []);
});
