import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

// What V8 itself says of the function, after a collection that finds no tick on its way.
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

test('ticks stay quick when a collection found none', () => {
  assert.match(shapesAfterCollection('keep'), /^MONOMORPHIC(,MONOMORPHIC)+\n$/);
});

test('which they do not by themselves: else it can go', () => {
  assert.match(shapesAfterCollection(), /MEGAMORPHIC/);
});
