import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** The greatest distance from `loadPart` to its import, for several imports in one call. */
const MAX_DISTANCE = 160;

test('every dynamic import is wrapped in loadPart, which detects updates of the service', () => {
  const unguarded: string[] = [];
  for (const file of globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })) {
    if (file.endsWith('.test.ts')) continue;
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const { index } of source.matchAll(/\bimport\('/g)) {
      const before = source.slice(Math.max(0, index - MAX_DISTANCE), index);
      if (!/\b(?:loadPart|lazyScreen)\(/.test(before)) unguarded.push(file);
    }
  }
  assert.deepEqual(unguarded, []);
});
