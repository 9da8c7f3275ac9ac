import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimited } from '../errors.ts';
import { ArchiveRoom, ArchiveRooms } from './archive-imports.ts';

const MB = 1024 * 1024;
const size = { places: 3, bytes: 40 * MB };

test('concurrent archive imports hold 40 MB together, unless a single one is larger', () => {
  const room = new ArchiveRoom(size);
  let accountId = 0;
  const enter = (megabytes: number) => room.enter(++accountId, { fetchesImages: false, bytes: megabytes * MB });
  const leave = enter(20);
  assert.throws(() => enter(21), RateLimited);
  enter(20)();
  leave();
  enter(50);
  assert.throws(() => enter(1), RateLimited);
});

test('the last slot and half of the bytes are reserved for accounts without an import in the last half hour', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const room = new ArchiveRoom(size);
  const enter = (accountId: number, megabytes: number) =>
    room.enter(accountId, { fetchesImages: false, bytes: megabytes * MB });
  for (const accountId of [1, 2, 3]) enter(accountId, 1)();
  const [first, second] = [enter(1, 10), enter(2, 1)];
  assert.throws(() => enter(3, 1), RateLimited);
  enter(4, 20)();
  first();
  second();
  const large = enter(1, 20);
  assert.throws(() => enter(2, 1), RateLimited);
  enter(5, 20)();
  large();
  // A single archive may take more than half.
  enter(1, 30)();
  t.mock.timers.tick(30 * 60_000);
  const all = [enter(1, 20), enter(2, 10), enter(3, 10)];
  assert.throws(() => enter(6, 1), RateLimited);
  for (const leave of all) leave();
});

test('an account with a recent import gets the last slot if accounts with their first import hold the others', () => {
  const room = new ArchiveRoom(size);
  const enter = (key: number) => room.enter(key, { fetchesImages: false, bytes: 1 });
  enter(1)();
  enter(2);
  enter(3);
  enter(1);
  assert.throws(() => enter(4), RateLimited);
});

test('three archives are imported at once, but only two of them may fetch images', () => {
  const room = new ArchiveRoom(size);
  let accountId = 0;
  const enter = (fetchesImages: boolean) => room.enter(++accountId, { fetchesImages, bytes: 1 });
  enter(true);
  const leave = enter(true);
  assert.throws(() => enter(true), RateLimited);
  enter(false);
  assert.throws(() => enter(false), RateLimited);
  leave();
  enter(true);
});

test('the last slot for fetching images is reserved for accounts that have fetched none in the last half hour', (t) => {
  t.mock.timers.enable({ apis: ['Date'] });
  const room = new ArchiveRoom(size);
  const enter = (accountId: number, fetchesImages = true) => room.enter(accountId, { fetchesImages, bytes: 1 });
  const [first, second] = [enter(1), enter(2)];
  first();
  assert.throws(() => enter(1), RateLimited);
  enter(1, false)();
  const third = enter(3);
  second();
  third();
  const again = enter(1);
  assert.throws(() => enter(2), RateLimited);
  enter(4)();
  t.mock.timers.tick(30 * 60_000);
  enter(2)();
  again();
});

test('a top-level account with many customers leaves a slot, a slot for images and half of the bytes to others', () => {
  const rooms = new ArchiveRooms();
  let customerId = 10;
  const enter = (topLevelId: number, fetchesImages: boolean, megabytes: number) =>
    rooms.enter({ topLevelId, customerId: ++customerId }, { fetchesImages, bytes: megabytes * MB });
  enter(1, true, 1);
  enter(1, true, 10);
  assert.throws(() => enter(1, true, 1), RateLimited);
  assert.throws(() => enter(1, false, 10), RateLimited);
  const leave = enter(1, false, 1);
  assert.throws(() => enter(1, false, 1), RateLimited);
  enter(2, true, 20)();
  leave();
  enter(3, false, 20);
});

test('a customer with many customers of its own leaves the last slot of its top-level account to others', () => {
  const rooms = new ArchiveRooms();
  const enter = (customerId: number) => rooms.enter({ topLevelId: 1, customerId }, { fetchesImages: false, bytes: 1 });
  enter(11);
  enter(11);
  assert.throws(() => enter(11), RateLimited);
  enter(12);
});
