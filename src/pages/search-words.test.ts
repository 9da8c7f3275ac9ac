import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wantedWords } from './search-words.ts';

test('a search looks for each word once, and not for a word that another one begins with', () => {
  assert.deepEqual(wantedWords('bread '.repeat(100)), ['bread']);
  assert.deepEqual(wantedWords('Brea bread BRÉADS and a an'), ['breads', 'and', 'a']);
});

test('a search looks for the first ten words, and for the beginning of a long word', () => {
  const words = Array.from({ length: 250 }, (_, index) => `w${index + 100}`);
  assert.deepEqual(wantedWords(words.join(' ')), words.slice(0, 10));
  assert.deepEqual(wantedWords('x'.repeat(500)), ['x'.repeat(40)]);
});
