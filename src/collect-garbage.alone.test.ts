import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { collectGarbage } from './collect-garbage.js';

const LENGTH = 16_000_000;
const external = () => process.memoryUsage().external;

function find(): void {
  assert.ok(/a$/.exec(Buffer.alloc(LENGTH, 'a').toString('latin1')));
}

test('a long text in which a regular expression has found a match is collected', async () => {
  collectGarbage();
  const before = external();
  find();
  await setImmediate();
  assert.ok(external() > before + LENGTH / 2);
  collectGarbage();
  assert.ok(external() < before + LENGTH / 2);
});
