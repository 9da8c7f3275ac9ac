import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RateLimited } from '../errors.ts';
import { ArchiveRoom } from './archive-imports.ts';

const MB = 1024 * 1024;

test('archives that are imported at once have 36 MB together, unless one alone has more', () => {
  const room = new ArchiveRoom();
  const enter = (megabytes: number) => room.enter({ fetchesImages: false, bytes: megabytes * MB });
  const leave = enter(20);
  assert.throws(() => enter(17), RateLimited);
  enter(16)();
  leave();
  enter(40);
  assert.throws(() => enter(1), RateLimited);
});

test('three archives are imported at once, and two of them fetch images', () => {
  const room = new ArchiveRoom();
  const enter = (fetchesImages: boolean) => room.enter({ fetchesImages, bytes: 1 });
  enter(true);
  const leave = enter(true);
  assert.throws(() => enter(true), RateLimited);
  enter(false);
  assert.throws(() => enter(false), RateLimited);
  leave();
  enter(true);
});
