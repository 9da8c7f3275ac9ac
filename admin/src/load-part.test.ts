import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** How far before an import its `loadPart` may stand, where several are imported together. */
const MAX_DISTANCE = 160;

test('every part of the app with a file of its own is imported by what knows of updates', () => {
  const unguarded: string[] = [];
  for (const file of globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })) {
    if (file.endsWith('.test.ts')) continue;
    const source = readFileSync(join(import.meta.dirname, file), 'utf8');
    for (const { index } of source.matchAll(/\bimport\('/g)) {
      const before = source.slice(Math.max(0, index - MAX_DISTANCE), index);
      if (!/\b(?:loadPart|later)\(/.test(before)) unguarded.push(file);
    }
  }
  assert.deepEqual(unguarded, []);
});
