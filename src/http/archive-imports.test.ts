import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimited } from '../errors.ts';
import { ArchiveLimiter, LevelLimiter } from './archive-imports.ts';

const MB = 1024 * 1024;
const capacity = { slots: 3, bytes: 40 * MB };

test('concurrent archive imports hold 40 MB together, unless a single one is larger', () => {
  const limiter = new LevelLimiter(capacity);
  let accountId = 0;
  const acquire = (megabytes: number) => limiter.acquire(++accountId, { fetchesImages: false, bytes: megabytes * MB });
  const release = acquire(20);
  assert.throws(() => acquire(21), RateLimited);
  acquire(20)();
  release();
  acquire(50);
  assert.throws(() => acquire(1), RateLimited);
});

test('the last slot and half of the bytes are reserved for accounts without an import in the last half hour', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const limiter = new LevelLimiter(capacity);
  const acquire = (accountId: number, megabytes: number) =>
    limiter.acquire(accountId, { fetchesImages: false, bytes: megabytes * MB });
  for (const accountId of [1, 2, 3]) acquire(accountId, 1)();
  const [first, second] = [acquire(1, 10), acquire(2, 1)];
  assert.throws(() => acquire(3, 1), RateLimited);
  acquire(4, 20)();
  first();
  second();
  const large = acquire(1, 20);
  assert.throws(() => acquire(2, 1), RateLimited);
  acquire(5, 20)();
  large();
  // A single archive may take more than half.
  acquire(1, 30)();
  t.mock.timers.tick(30 * 60_000);
  const all = [acquire(1, 20), acquire(2, 10), acquire(3, 10)];
  assert.throws(() => acquire(6, 1), RateLimited);
  for (const release of all) release();
});

test('an account with a recent import gets the last slot if accounts with their first import hold the others', () => {
  const limiter = new LevelLimiter(capacity);
  const acquire = (key: number) => limiter.acquire(key, { fetchesImages: false, bytes: 1 });
  acquire(1)();
  acquire(2);
  acquire(3);
  acquire(1);
  assert.throws(() => acquire(4), RateLimited);
});

test('one slot for archive imports is reserved for archives whose images are not fetched', () => {
  const limiter = new LevelLimiter(capacity);
  let accountId = 0;
  const acquire = (fetchesImages: boolean) => limiter.acquire(++accountId, { fetchesImages, bytes: 1 });
  acquire(true);
  const release = acquire(true);
  assert.throws(() => acquire(true), RateLimited);
  acquire(false);
  assert.throws(() => acquire(false), RateLimited);
  release();
  acquire(true);
});

test('the last slot for fetching images is reserved for accounts that have fetched none in the last half hour', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const limiter = new LevelLimiter(capacity);
  const acquire = (accountId: number, fetchesImages = true) => limiter.acquire(accountId, { fetchesImages, bytes: 1 });
  const [first, second] = [acquire(1), acquire(2)];
  first();
  assert.throws(() => acquire(1), RateLimited);
  acquire(1, false)();
  const third = acquire(3);
  second();
  third();
  const again = acquire(1);
  assert.throws(() => acquire(2), RateLimited);
  acquire(4)();
  t.mock.timers.tick(30 * 60_000);
  acquire(2)();
  again();
});

test('a top-level account with many customers leaves a slot, a slot for images and half of the bytes to others', () => {
  const limiter = new ArchiveLimiter();
  let customerId = 10;
  const acquire = (topLevelId: number, fetchesImages: boolean, megabytes: number) =>
    limiter.acquire({ topLevelId, customerId: ++customerId }, { fetchesImages, bytes: megabytes * MB });
  acquire(1, true, 1);
  acquire(1, true, 10);
  assert.throws(() => acquire(1, true, 1), RateLimited);
  assert.throws(() => acquire(1, false, 10), RateLimited);
  const release = acquire(1, false, 1);
  assert.throws(() => acquire(1, false, 1), RateLimited);
  acquire(2, true, 20)();
  release();
  acquire(3, false, 20);
});

test('a customer with many customers of its own leaves the last slot of its top-level account to others', () => {
  const limiter = new ArchiveLimiter();
  const acquire = (customerId: number) =>
    limiter.acquire({ topLevelId: 1, customerId }, { fetchesImages: false, bytes: 1 });
  acquire(11);
  acquire(11);
  assert.throws(() => acquire(11), RateLimited);
  acquire(12);
});
