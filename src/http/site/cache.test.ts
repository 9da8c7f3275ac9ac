import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CacheEntry, VersionCache } from './cache.ts';

test('an entry of an older version is built again for a newer one, once for all concurrent requests', async () => {
  const cache = new VersionCache<string>(1000);
  const builds: Array<(made: CacheEntry<string>) => void> = [];
  const build = () => new Promise<CacheEntry<string>>((resolve) => builds.push(resolve));
  const before = cache.make('/', 1, build);
  const after = [cache.make('/', 2, build), cache.make('/', 2, build)];
  assert.equal(builds.length, 1);
  builds[0]!({ version: 1, value: 'before', size: 1 });
  assert.equal(await before, 'before');
  assert.equal(builds.length, 2);
  builds[1]!({ version: 2, value: 'after', size: 1 });
  assert.deepEqual(await Promise.all(after), ['after', 'after']);
  assert.equal(cache.get('/', 2), 'after');
});
