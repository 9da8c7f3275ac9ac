import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryStorage, useStorage } from '../../test/network.ts';
import { readItem, removeItem, storedKeys, storeItem } from './browser-storage.ts';

test('a value is stored in the browser’s storage and survives closing the tab', (t) => {
  useStorage(t, new MemoryStorage());
  assert.equal(storeItem('draft', { name: 'Menu' }), true);
  assert.equal(localStorage.getItem('draft'), '{"name":"Menu"}');
  assert.deepEqual([readItem('draft'), storedKeys()], [{ name: 'Menu' }, ['draft']]);
  removeItem('draft');
  assert.deepEqual([readItem('draft'), storedKeys()], [undefined, []]);
});

test('drafts, forms and open pages of the tree stored with an earlier version’s prefix are found', async (t) => {
  const storage = new MemoryStorage();
  useStorage(t, storage);
  for (const key of ['former:draft:1:2:a', 'former:form:1:plan', 'former:open:3', 'other', 'app:draft:1:3']) {
    localStorage.setItem(key, '"text"');
  }
  await import(`./browser-storage.ts?${Math.random()}`);
  assert.deepEqual(storedKeys().sort(), ['app:draft:1:2:a', 'app:draft:1:3', 'app:form:1:plan', 'app:open:3', 'other']);
  for (const key of storedKeys()) removeItem(key);
});

test('a value that exceeds the browser’s storage is kept in the tab until the storage has space', (t) => {
  const storage = new MemoryStorage(10);
  useStorage(t, storage);
  assert.equal(storeItem('draft', 'as long as it takes'), false);
  assert.deepEqual([readItem('draft'), storedKeys()], ['as long as it takes', ['draft']]);
  assert.equal(storeItem('draft', 'short'), true);
  assert.deepEqual([readItem('draft'), storedKeys()], ['short', ['draft']]);
  removeItem('draft');
});

test('a value is kept in the tab if the browser blocks its storage', (t) => {
  useStorage(t, new MemoryStorage());
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get: () => {
      throw new DOMException('It is blocked.', 'SecurityError');
    },
  });
  assert.equal(storeItem('draft', 'Menu'), false);
  assert.deepEqual([readItem('draft'), storedKeys()], ['Menu', ['draft']]);
  removeItem('draft');
  assert.deepEqual([readItem('draft'), storedKeys()], [undefined, []]);
});

test('a stored value that is not valid JSON is ignored', (t) => {
  const storage = new MemoryStorage();
  useStorage(t, storage);
  storage.setItem('draft', '{"name"');
  assert.equal(readItem('draft'), undefined);
});
