import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { shareOf } from './shares.ts';

test('npm test runs every test file, and each of them once', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const patterns: string[] = [...scripts['test:run'].matchAll(/'(\S+)'/g)].map(([, pattern]) => pattern);
  const started = patterns.flatMap((pattern) => globSync(pattern));
  const shares = started.filter((file) => file.startsWith('test/together/'));
  const run = started.flatMap((file) => (shares.includes(file) ? shareOf(file) : file));
  const all = globSync('**/*.test.ts', { exclude: ['**/node_modules/**'] }).filter((file) => !shares.includes(file));
  assert.deepEqual(run.sort(), all.sort());
});
