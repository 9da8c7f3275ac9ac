import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

// Prints V8's own feedback about `process.nextTick` after a garbage collection that finds no live tick object.
const script = `
const { keepTicksQuick } = await import(process.argv[1]);
if (process.argv[2]) keepTicksQuick();
const tick = () => Promise.all(Array.from({ length: 100 }, () => new Promise((resolve) => process.nextTick(resolve))));
await tick();
await new Promise((resolve) => setImmediate(resolve));
gc();
await tick();
const kept = %GetFeedback(process.nextTick).filter(([kind]) => kind === 'DefineKeyedOwnPropertyInLiteral');
console.log(kept.map(([, state]) => state).join());
`;

function shapesAfterCollection(...args: string[]): string {
  const file = join(import.meta.dirname, 'keep-ticks-quick.ts');
  const flags = ['--allow-natives-syntax', '--expose-gc', '--input-type=module'];
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, '--eval', script, file, ...args]);
  assert.equal(stderr.toString(), '');
  return stdout.toString();
}

test('process.nextTick stays monomorphic after a collection that found no tick object', () => {
  assert.match(shapesAfterCollection('keep'), /^MONOMORPHIC(,MONOMORPHIC)+\n$/);
});

test('process.nextTick becomes megamorphic without the workaround (if this fails, remove the workaround)', () => {
  assert.match(shapesAfterCollection(), /MEGAMORPHIC/);
});
