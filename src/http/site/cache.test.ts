import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CacheEntry, VersionCache } from './cache.ts';

test('an entry made from an older version is made again for a newer one, once for all requests', async () => {
  const cache = new VersionCache<string>(1000);
  const begun: Array<(made: CacheEntry<string>) => void> = [];
  const build = () => new Promise<CacheEntry<string>>((resolve) => begun.push(resolve));
  const before = cache.make('/', 1, build);
  const after = [cache.make('/', 2, build), cache.make('/', 2, build)];
  assert.equal(begun.length, 1);
  begun[0]!({ version: 1, value: 'before', size: 1 });
  assert.equal(await before, 'before');
  assert.equal(begun.length, 2);
  begun[1]!({ version: 2, value: 'after', size: 1 });
  assert.deepEqual(await Promise.all(after), ['after', 'after']);
  assert.equal(cache.get('/', 2), 'after');
});
