import assert from 'node:assert/strict';
import { test } from 'node:test';
import { archivePages } from './archive-pages.ts';
import { linkedTexts } from './links.ts';

test('texts whose short links become long paths stop growing at a limit', () => {
  const links = '[a](a.md)\n'.repeat(1000);
  const pages = archivePages(new Map([['a.md', links]]));
  const textOf = linkedTexts(pages);
  assert.ok(textOf(0, ['/short']).startsWith('[a](/short)\n[a](/short)'));
  const long = textOf(0, [`/${'a'.repeat(100_000)}`]);
  assert.ok(long.length < 70_000_000);
  assert.ok(long.endsWith('[a](a.md)\n'));
});
