import assert from 'node:assert/strict';
import { test } from 'node:test';
import { markClosing } from './closing.ts';
import { runOptimistic, sendUnsent } from './run-optimistic.ts';

test('changes that are queued when the tab is closed, and later ones, are sent at once', async () => {
  const sent: string[] = [];
  const change = (name: string) =>
    runOptimistic({
      about: ['items'],
      show: () => () => {},
      send: () => {
        sent.push(name);
        return new Promise(() => {});
      },
    });
  change('first');
  change('second');
  await new Promise(setImmediate);
  assert.deepEqual(sent, ['first']);
  markClosing();
  sendUnsent();
  assert.deepEqual(sent, ['first', 'second']);
  change('third');
  await new Promise(setImmediate);
  assert.deepEqual(sent, ['first', 'second', 'third']);
});
