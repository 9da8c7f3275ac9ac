import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { MemoryStorage } from '../../../test/network.ts';
import { recordSession } from '../signed-in.ts';
import { recordChange, removeChange, takeLatestChange } from './latest-changes.ts';

test('the latest change is undone first, and a change undone by its message is not undone again', async (t) => {
  await start(t);
  recordChange('“A” deleted.', { call: 'undo', id: 1 });
  recordChange('“B” deleted.', { call: 'undo', id: 2 });
  recordChange('“C” created.', { call: 'deletePage', id: 2 });
  removeChange({ call: 'undo', id: 2 });
  assert.deepEqual(taken(), ['deletePage 2', 'undo 1', undefined]);
});

test('a change can be undone for an hour, only by the user who made it', async (t) => {
  await start(t);
  recordChange('“A” deleted.', { call: 'undo', id: 1 });
  t.mock.timers.setTime(59 * 60 * 1000);
  recordChange('“B” deleted.', { call: 'undo', id: 2 });
  t.mock.timers.setTime(60 * 60 * 1000);
  assert.deepEqual(taken(), ['undo 2', undefined, undefined]);
  const stored = JSON.stringify([{ call: 'undo', id: 3, message: 'x', at: Date.now(), owner: '1/9' }]);
  sessionStorage.setItem('app:latest-changes', stored);
  assert.equal(takeLatestChange(), undefined);
});

function taken() {
  return [1, 2, 3].map(() => {
    const latest = takeLatestChange();
    return latest && `${latest.call} ${latest.id}`;
  });
}

/** Signs a user in, in a tab with an empty storage. */
async function start(t: TestContext): Promise<void> {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'sessionStorage');
  Object.defineProperty(globalThis, 'sessionStorage', { configurable: true, value: new MemoryStorage() });
  t.after(() => before && Object.defineProperty(globalThis, 'sessionStorage', before));
  t.mock.timers.enable({ apis: ['Date'], now: 0 });
  // The app never forgets the user: in a shared process, the requests of later tests would be refused as another user's.
  await recordSession({ user: { id: 1 }, account: { id: 1 } } as never);
}
